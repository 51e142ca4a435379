//! `associate`: how strongly a language model associates social groups with traits.

use jiff::Zoned;
use stereometer_data::Inventory;
use stereometer_leakage::{
    AssociationAsker, AssociationPlan, AssociationSettings, associate, association_method_for,
};
use stereometer_lm::lost_marks;
use stereometer_record::{AssociationDirectory, AssociationSpec, FORMAT_VERSION};

use crate::args::AssociateArgs;
use crate::failure::{Exit, Failure};
use crate::model::OpenModel;
use crate::new_run::{command_line, default_folder};
use crate::out::put;
use crate::talk::Talk;
use crate::words::plural;

/// Templates of each kind under `--quick`.
const QUICK_TEMPLATES: usize = 2;

/// Runs the command.
pub fn run(args: &AssociateArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    let inventory = Inventory::open(&args.inventory)?;
    let languages = inventory.select(&args.languages)?;
    let model = OpenModel::open(&args.model.model, &args.model.loading, talk)?;
    let (lm, tokenizer) = (&model.loaded.lm, &model.loaded.tokenizer);
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
    put!("{}", run.path().display())?;
    Ok(if tally.unscored > 0 { Exit::SomeUnscored } else { Exit::Done })
}
