//! `model list | pull | info`.

use indicatif::HumanBytes;
use stereometer_fetch::{Places, Support, catalogue, find_model, resolve_model};

use crate::args::{ModelArgs, ModelChoice, ModelCommand};
use crate::failure::{Exit, Failure};
use crate::model::{OpenModel, support};
use crate::out::put;
use crate::table::{Column, render};
use crate::talk::Talk;

/// Runs the command.
pub fn run(args: &ModelArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    match &args.command {
        ModelCommand::List => list(),
        ModelCommand::Pull { name } => pull(name, talk),
        ModelCommand::Info { name, model } => info(name.as_ref().unwrap_or(&model.model), model, talk),
    }
}

fn list() -> Result<Exit, Failure> {
    let places = Places::from_env().ok(); // without a cache, nothing was fetched
    let columns = [
        Column::Left("name"),
        Column::Left("family"),
        Column::Right("parameters"),
        Column::Left("tuning"),
        Column::Left("licence"),
        Column::Left("of the study"),
        Column::Left("here"),
        Column::Left("this program can"),
    ];
    let rows: Vec<Vec<String>> = catalogue()
        .models()
        .iter()
        .map(|entry| {
            let support = match support(entry) {
                Support::Supported => "audit it".to_owned(),
                Support::Unsupported(reason) => format!("not audit it: {reason}"),
            };
            let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
            vec![
                entry.name.clone(),
                entry.family.clone(),
                format!("{:.2} B", entry.parameters as f64 / 1e9),
                format!("{:?}", entry.tuning).to_lowercase(),
                entry.licence.clone(),
                yes(entry.study),
                yes(places.as_ref().is_some_and(|places| find_model(&entry.name, places).is_some())),
                support,
            ]
        })
        .collect();
    put!("{}", render(&columns, &rows))?;
    put!("\ndefault: {}", catalogue().default_model())?;
    Ok(Exit::Done)
}

fn pull(name: &str, talk: &Talk) -> Result<Exit, Failure> {
    let located = resolve_model(name, &Places::from_env()?, &mut talk.fetch_watcher())?;
    put!("{}", located.path.display())?;
    Ok(Exit::Done)
}

fn info(name: &str, choice: &ModelChoice, talk: &Talk) -> Result<Exit, Failure> {
    let OpenModel { located, loaded: model } = OpenModel::open(name, &choice.loading, talk)?;
    let info = model.lm.info();
    let tokenizer = &model.tokenizer;
    let example = tokenizer.encode("Stereometer")?;
    let prefix = tokenizer.prefix_ids()?;
    let rule = match prefix.as_slice() {
        [] => "none: the first token of a text is unscored".to_owned(),
        ids => format!("{ids:?} before every text"),
    };
    let size = std::fs::metadata(&located.path).ok().filter(std::fs::Metadata::is_file);
    let rows = [
        ("name", located.name.clone()),
        ("path", located.path.display().to_string()),
        ("file", size.map_or_else(|| "a folder".to_owned(), |file| HumanBytes(file.len()).to_string())),
        ("architecture", format!("{}, {}", info.architecture, model.lm.kind())),
        ("parameters", info.parameters.to_string()),
        ("stored as", info.stored_dtype.clone()),
        ("computed in", info.compute_dtype.clone()),
        ("output layer", if info.tied { "the input embedding (tied)" } else { "of its own" }.to_owned()),
        ("context", format!("{} tokens", info.context_length)),
        (
            "vocabulary",
            format!("{} rows, {} tokens in the tokenizer", info.vocab_size, tokenizer.vocab_size()),
        ),
        ("special tokens", rule),
        (
            "chat template",
            model
                .chat_template
                .as_ref()
                .map_or_else(|| "none".to_owned(), |template| format!("sha256 {}", template.sha256())),
        ),
        ("“Stereometer” is", format!("{:?} {:?}", example.ids, example.tokens)),
        ("weights", format!("sha256 {}", info.weights_sha256)),
        ("tokenizer", format!("sha256 {}", tokenizer.fingerprint())),
    ];
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(key, value)| vec![key.to_owned(), value]).collect();
    put!("{}", render(&[Column::Left(""), Column::Left("")], &rows).trim_start())?;
    Ok(Exit::Done)
}
