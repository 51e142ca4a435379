//! `associate`: how strongly a language model associates social groups with traits.

use jiff::Zoned;
use stereometer_core::{Language, Slug};
use stereometer_data::{Inventory, StudyInputs};
use stereometer_leakage::{
    AssociationAsker, AssociationPlan, AssociationSettings, RunAssociations, RunInput, associate,
    association_method_for, run_associations, summary,
};
use stereometer_lm::{LmKind, lost_marks};
use stereometer_record::{
    Association, AssociationDirectory, AssociationSpec, FORMAT_VERSION, InventorySummary, write_atomically,
};
use stereometer_score::methods::ilps::IlpsKind;

use crate::args::AssociateArgs;
use crate::failure::{Exit, Failure};
use crate::model::OpenModel;
use crate::new_run::{command_line, default_folder};
use crate::out::put;
use crate::table::{Column, render};
use crate::talk::Talk;
use crate::words::{number, plural};

/// Templates of each kind under `--quick`.
const QUICK_TEMPLATES: usize = 2;

/// Associations that a language is shown with.
const STRONGEST: usize = 3;

/// Runs the command.
pub fn run(args: &AssociateArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    // Before the model is fetched: a misspelt name costs nothing then.
    let inventory = Inventory::open_study(&args.inventory, args.inputs.unwrap_or_default())?;
    let languages = inventory.select(&args.languages)?;
    let model = OpenModel::open(&args.model.model, &args.model.loading, talk)?;
    let (lm, tokenizer) = (&model.loaded.lm, &model.loaded.tokenizer);
    let inventory = match (args.inputs, lm.kind()) {
        (None, LmKind::Seq2Seq) => Inventory::open_study(&args.inventory, StudyInputs::Mt5)?,
        (Some(_), _) | (None, LmKind::Causal | LmKind::Masked) => inventory,
    };
    let method = association_method_for(lm.kind(), args.method.0)?;
    let settings = AssociationSettings {
        languages,
        method,
        prior: args.prior.into(),
        templates_per_kind: args.quick.then_some(QUICK_TEMPLATES),
    };
    let mut plan = AssociationPlan::new(&inventory, &settings, model.identity()?)?;
    let asker = AssociationAsker::new(lm, method, tokenizer, &plan.items)?;
    let texts = plan.items.iter().flat_map(|item| {
        let traits = item.traits.iter().map(|(_, text)| text);
        std::iter::once(&item.text).chain(traits).map(|text| (&item.language, text.as_str()))
    });
    plan.warnings.extend(lost_marks(texts, tokenizer)?);
    let now = Zoned::now();
    let out = args.out.clone();
    let out = out.unwrap_or_else(|| default_folder(&model.located.name, inventory.name(), &now, args.resume));
    let spec = AssociationSpec {
        format_version: FORMAT_VERSION,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        started: now.timestamp().to_string(),
        command: command_line(),
        association: plan.identity.clone(),
        threads: args.model.loading.thread_count(),
        batch_tokens: args.model.batch_tokens as usize,
        n_items: plan.items.len(),
        warnings: plan.warnings.clone(),
    };
    let run = if args.resume {
        AssociationDirectory::resume_or_create(&out, spec)?
    } else {
        AssociationDirectory::create(&out, spec)?
    };
    for warning in &plan.warnings {
        talk.warn(warning);
        run.event(&now.to_string(), warning)?;
    }
    let traits: usize = plan.items.iter().map(|item| item.traits.len()).sum();
    talk.say(&format!(
        "asking for {} in {} in {} with {} by {method}",
        plural(traits, "trait"),
        plural(plan.items.len(), "sentence"),
        plural(settings.languages.len(), "language"),
        model.located.name
    ));
    let mut progress = talk.scoring();
    let tally = associate(&plan.items, &run, &asker, args.model.batch_tokens as usize, &mut progress)?;
    let timing = serde_json::json!({
        "scored_items": tally.done - tally.resumed, "seconds": progress.elapsed().as_secs_f64(),
        "tree_tokens": tally.tree_tokens, "tokens": tally.tokens,
    });
    run.event(&Zoned::now().to_string(), &timing)?;
    let input = RunInput {
        label: model.located.name.clone(),
        spec: run.spec().clone(),
        rows: run.items()?,
        is_monolingual: false,
    };
    let names = summary(&inventory);
    let found = run_associations(&input, &names, IlpsKind::default(), args.prior.into())?;
    let table = run.path().join("associations.csv");
    write_atomically(&table, &csv(&found)?)?;
    put!("{}", overview(&found, &names, &settings.languages))?;
    for (reason, count) in &found.unscored {
        talk.doubt(&format!("{} of {}: {reason}", count, plural(found.asked, "trait")), None);
    }
    put!("associations: {}", table.display())?;
    talk.say(&format!(
        "stereometer leakage --runs {} --humans … sets them beside what people say",
        out.display()
    ));
    let is_missing = found.cells.iter().any(|cell| cell.score.is_none());
    Ok(if is_missing { Exit::SomeUnscored } else { Exit::Done })
}

/// One row a language, group and pole; an empty score is missing.
fn csv(found: &RunAssociations) -> Result<Vec<u8>, Failure> {
    let failed = |error: csv::Error| Failure::new(Exit::Machine, error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["language", "group", "pole", "score", "spread", "templates"]).map_err(failed)?;
    for cell in &found.cells {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let (group, pole) = (cell.group.to_string(), cell.pole.to_string());
        let row = [
            cell.language.to_string(),
            group,
            pole,
            number(cell.score),
            number(cell.spread),
            cell.templates.to_string(),
        ];
        writer.write_record(row).map_err(failed)?;
    }
    writer.into_inner().map_err(|error| Failure::new(Exit::Machine, error.to_string()))
}

/// Language by language, how much there is, and the associations that stand out most.
fn overview(found: &RunAssociations, names: &InventorySummary, languages: &[Language]) -> String {
    let group = |id: &Slug| {
        let known = names.groups.iter().find(|one| one.id == *id);
        known.map_or_else(|| id.to_string(), |one| one.name.clone())
    };
    let poles = || names.pairs.iter().flat_map(|pair| [&pair.left, &pair.right]);
    let pole =
        |id: &Slug| poles().find(|one| one.id == *id).map_or_else(|| id.to_string(), |one| one.name.clone());
    let rows = languages.iter().map(|language| {
        let cells = || found.cells.iter().filter(|cell| cell.language == *language);
        let mut scored: Vec<(&Association, f64)> =
            cells().filter_map(|cell| Some((cell, cell.score?))).collect();
        scored.sort_by(|a, b| b.1.total_cmp(&a.1));
        let strongest: Vec<String> = scored
            .iter()
            .take(STRONGEST)
            .map(|(cell, score)| {
                format!("{}: {} (+{})", group(&cell.group), pole(&cell.pole), number(*score, 2))
            })
            .collect();
        let templates = cells().map(|cell| cell.templates).max().unwrap_or(0);
        vec![
            language.to_string(),
            format!("{} of {}", scored.len(), cells().count()),
            templates.to_string(),
            strongest.join(", "),
        ]
    });
    let columns = [
        Column::Left("language"),
        Column::Right("associations"),
        Column::Right("templates"),
        Column::Left("strongest"),
    ];
    render(&columns, &rows.collect::<Vec<_>>())
}
