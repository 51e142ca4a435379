//! Stereotypes that leak, source by source and target by target, in English and in the target language's own words.

use stereometer_core::{FEW_ANNOTATORS, Language, Slug, Valence};
use stereometer_record::QualitativeLeak;

use crate::html::escape;
use crate::leakage::study::Study;
use crate::words::{count, plural};

/// Stereotypes that are shown of each source and target; the table has all.
const SHOWN: usize = 6;
/// Stands beside what rests on few people.
const FEW: &str = "⚠ few people";

/// One stereotype, with the runs that have it.
struct Leak<'a> {
    group: &'a Slug,
    pole: &'a Slug,
    valence: Valence,
    strength: f64,
    /// Source and target; the same for all runs.
    people: [Option<usize>; 2],
    is_of_few: bool,
    runs: Vec<usize>,
}

/// The section.
pub fn qualitative(study: &Study<'_>) -> String {
    let all = &study.results.qualitative;
    let intro = format!(
        "<p>What the language model associates with a group in one language, whose people do not say so, while people of another \
         language do. Those that most runs share come first, then the strongest. Strength is the smaller of two contrasts, \
         pole − opposite pole, of the language model in the target language and of the people of the source, each over the standard \
         deviation of right − left about its mean over all groups and trait pairs. The column “people” says how many rated the group on this pair, \
         in the source → in the target; what fewer than {FEW_ANNOTATORS} people say in either is marked “{FEW}” and comes last: it may be \
         one person's opinion. It is a list of candidates to look at: none of them is tested by itself.</p>\n"
    );
    let body = if all.is_empty() {
        "<p>None found.</p>\n".to_owned()
    } else {
        let languages = study.languages();
        languages
            .iter()
            .flat_map(|source| languages.iter().map(move |target| (*source, *target)))
            .filter(|(source, target)| source != target)
            .map(|(source, target)| pair(study, source, target))
            .collect()
    };
    format!(
        "<section id=\"one_by_one\">\n<h2>Stereotypes that leak, one by one</h2>\n{intro}{body}</section>\n"
    )
}

fn gather<'a>(all: &'a [QualitativeLeak], source: &Language, target: &Language) -> Vec<Leak<'a>> {
    let mut found: Vec<Leak<'a>> = Vec::new();
    for one in all.iter().filter(|one| one.source == *source && one.target == *target) {
        match found.iter_mut().find(|known| known.group == &one.group && known.pole == &one.pole) {
            Some(known) => {
                known.strength = known.strength.max(one.strength);
                if !known.runs.contains(&one.run) {
                    known.runs.push(one.run);
                }
            }
            None => found.push(Leak {
                group: &one.group,
                pole: &one.pole,
                valence: one.valence,
                strength: one.strength,
                people: [one.people_source_n, one.people_target_n],
                is_of_few: one.is_of_few(),
                runs: vec![one.run],
            }),
        }
    }
    found.sort_by(|a, b| {
        let first = a.is_of_few.cmp(&b.is_of_few).then(b.runs.len().cmp(&a.runs.len()));
        first.then(b.strength.total_cmp(&a.strength))
    });
    found
}

fn pair(study: &Study<'_>, source: &Language, target: &Language) -> String {
    let found = gather(&study.results.qualitative, source, target);
    if found.is_empty() {
        return String::new();
    }
    let name = |language| escape(study.language_name(language));
    let n = |valence: Valence| found.iter().filter(|one| one.valence == valence).count();
    let kinds = format!(
        "{} positive, {} negative, {} non-polar",
        count(n(Valence::Positive)),
        count(n(Valence::Negative)),
        count(n(Valence::NonPolar))
    );
    let few = match found.iter().filter(|one| one.is_of_few).count() {
        0 => String::new(),
        few => format!("; {} {FEW}", count(few)),
    };
    let rows: String = found.iter().take(SHOWN).map(|one| row(study, target, one)).collect();
    let more = if found.len() > SHOWN {
        format!(
            "<p>And {} more in <a href=\"tables/qualitative.csv\">qualitative.csv</a>.</p>\n",
            count(found.len() - SHOWN)
        )
    } else {
        String::new()
    };
    let (source, target) = (name(source), name(target));
    format!(
        "<details open><summary>{source} → {target}: {} ({kinds}{few})</summary>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{source} to {target}\"><table>\
         <caption class=\"leaks\">{source} → {target}</caption>\n\
         <thead><tr><th scope=\"col\">group</th><th scope=\"col\">is</th><th scope=\"col\">in {target}</th>\
         <th scope=\"col\">valence</th><th scope=\"col\" class=\"num\">strength</th>\
         <th scope=\"col\">people</th><th scope=\"col\">runs</th></tr></thead>\n\
         <tbody>\n{rows}</tbody></table></div>\n{more}</details>\n",
        plural(found.len(), "stereotype")
    )
}

fn row(study: &Study<'_>, target: &Language, one: &Leak<'_>) -> String {
    let native = [study.native_group(target, one.group), study.native_pole(target, one.pole)];
    let native: Vec<String> = native.iter().map(|name| name.map_or_else(|| "–".to_owned(), escape)).collect();
    let sign = match one.valence {
        Valence::Positive => "+ positive",
        Valence::Negative => "− negative",
        Valence::NonPolar => "○ non-polar",
    };
    let runs: Vec<String> = one.runs.iter().map(|&run| escape(study.label(run))).collect();
    let runs = if study.results.runs.len() == runs.len() && runs.len() > 1 {
        "all".to_owned()
    } else {
        runs.join(", ")
    };
    let [there, here] = one.people.map(|n| n.map_or_else(|| "not stated".to_owned(), count));
    let few = if one.is_of_few { format!(" {FEW}") } else { String::new() };
    format!(
        "<tr><th scope=\"row\">{}</th><td>{}</td><td lang=\"{target}\">{}: {}</td><td>{sign}</td>\
         <td class=\"num\" data-value=\"{}\">{}</td><td>{there} → {here}{few}</td><td>{runs}</td></tr>\n",
        escape(study.group_name(one.group)),
        escape(study.pole_name(one.pole)),
        native[0],
        native[1],
        one.strength,
        format!("{:.2}", one.strength).replace('-', "−"),
    )
}
