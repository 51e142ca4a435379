//! The sentences behind every cell: both variants, the masculine rate, and every token with its log-probability.
//!
//! They stand in the page if all of them together are small, else in a page of their own for each language
//! (`sentences/<tag>.html`), and where that would be too large for a browser, for each stereotype in it
//! (`sentences/<tag>-<number>.html`). Items without a score are there with their reason. They are not printed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use stereometer_core::{Language, StereotypeId};
use stereometer_record::ItemRecord;

use super::filter::filter;
use super::shell::Shell;
use crate::html::escape;
use crate::links::{About, Links, anchor};
use crate::words::{count, plural};
use crate::{ReportInput, sentence};

/// Bytes of sentences that the page takes up.
const IN_PAGE: usize = 4_000_000;
/// Bytes of sentences in one file.
const IN_FILE: usize = 15_000_000;

/// What the page needs to know of the sentences.
pub struct Sentences {
    /// Where those of each cell stand.
    pub links: Links,
    /// The section: the sentences, or where they are.
    pub section: String,
}

/// A page of sentences beside the page.
pub struct Beside {
    /// Its name in the folder `sentences`.
    pub name: String,
    /// The file.
    pub html: String,
}

/// The items of a language by stereotype.
struct Group<'a> {
    language: &'a Language,
    name: &'a str,
    cells: BTreeMap<StereotypeId, Vec<&'a ItemRecord>>,
}

/// The section and the links to it; every page that is needed beside it is handed to `put` as soon as it is made.
pub fn sentences<E>(
    input: &ReportInput<'_>,
    mut put: impl FnMut(Beside) -> Result<(), E>,
) -> Result<Sentences, E> {
    let groups = groups(input);
    let mut links = Links::default();
    if let Some(all) = in_page(input, &groups) {
        for group in &groups {
            for &id in group.cells.keys() {
                links.insert(group.language, id, format!("#{}", anchor(group.language, id)));
            }
        }
        return Ok(Sentences { links, section: section(input, &all) });
    }
    let mut list = String::new();
    for group in &groups {
        let entries = beside(input, group, &mut links, &mut put)?;
        list.push_str(&entries);
    }
    let list = format!(
        "<p>They lie in the folder <code>sentences/</code> beside this file: send it along where they are wanted.</p>\n\
         <ul>\n{list}</ul>\n"
    );
    Ok(Sentences { links, section: section(input, &list) })
}

/// In the order of the results, then languages that have rows and no result.
fn groups<'a>(input: &ReportInput<'a>) -> Vec<Group<'a>> {
    let mut by_language: BTreeMap<&Language, BTreeMap<StereotypeId, Vec<&ItemRecord>>> = BTreeMap::new();
    for record in input.items {
        by_language.entry(&record.language).or_default().entry(record.stereotype).or_default().push(record);
    }
    let known = input.results.languages.iter().map(|one| (&one.language, one.name.as_str()));
    let mut groups: Vec<Group<'a>> = known
        .filter_map(|(language, name)| Some(Group { language, name, cells: by_language.remove(language)? }))
        .collect();
    groups.extend(by_language.into_iter().map(|(language, cells)| Group {
        language,
        name: language.as_str(),
        cells,
    }));
    groups
}

/// All sentences, if they are few enough.
fn in_page(input: &ReportInput<'_>, groups: &[Group<'_>]) -> Option<String> {
    let mut all = String::new();
    for group in groups {
        let cells: String = cells(input, group).map(|(_, html)| html).collect();
        let items = group.cells.values().map(Vec::len).sum();
        let about = About::language(group.language).attributes();
        let summary = format!("{} ({})", escape(group.name), plural(items, "pair"));
        let _ = writeln!(all, "<details{about}><summary>{summary}</summary>\n{cells}</details>");
        if all.len() > IN_PAGE {
            return None;
        }
    }
    Some(all)
}

/// The pages of a language; gives its entries in the list of the page.
fn beside<E>(
    input: &ReportInput<'_>,
    group: &Group<'_>,
    links: &mut Links,
    put: &mut impl FnMut(Beside) -> Result<(), E>,
) -> Result<String, E> {
    let cells: Vec<(StereotypeId, String)> = cells(input, group).collect();
    let is_one = cells.iter().map(|(_, html)| html.len()).sum::<usize>() <= IN_FILE;
    let files: Vec<(String, &[(StereotypeId, String)])> = if is_one {
        vec![(format!("{}.html", group.language), &cells)]
    } else {
        cells.chunks(1).map(|one| (format!("{}-{}.html", group.language, one[0].0), one)).collect()
    };
    let about = About::language(group.language).attributes();
    let mut list = String::new();
    for (name, cells) in files {
        for &(id, _) in cells {
            links.insert(group.language, id, format!("sentences/{name}#{}", anchor(group.language, id)));
        }
        let items: usize = cells.iter().map(|(id, _)| group.cells[id].len()).sum();
        let what = match cells {
            [(id, _)] if !is_one => format!("{}, “{}”", group.name, id.phrase()),
            _ => group.name.to_owned(),
        };
        let (what, items) = (escape(&what), plural(items, "pair"));
        let _ = writeln!(list, "<li{about}><a href=\"sentences/{name}\">{what}</a> ({items})</li>");
        let title = format!("Sentences in {}: {}", group.name, input.spec.identity.model.name);
        let body: String = cells.iter().map(|(_, html)| html.as_str()).collect();
        let html = Shell {
            title: &title,
            kicker: "<a href=\"../index.html\">Stereometer report</a>",
            lead: "",
            filter: &filter([(group.language, group.name)].into_iter()),
            sections: &format!("<section id=\"sentences\">\n{}{body}</section>\n", reading(input)),
        }
        .html();
        put(Beside { name, html })?;
    }
    Ok(list)
}

/// The sentences of each stereotype, the highest masculine rate first, items without a score last.
fn cells<'a>(
    input: &ReportInput<'_>,
    group: &'a Group<'_>,
) -> impl Iterator<Item = (StereotypeId, String)> + use<'a> {
    let rule = input.results.rule;
    group.cells.iter().map(move |(&id, records)| {
        let (pairs, unscored) = sentence::pairs(records, rule);
        let without =
            if unscored.is_empty() { String::new() } else { format!(", {} without a score", count(unscored.len())) };
        let pairs = format!("{}{}", pairs.concat(), unscored.concat());
        let (about, place) = (About::cell(group.language, id).attributes(), anchor(group.language, id));
        let html = format!(
            "<details{about}><summary>{id}, {phrase} ({n}{without})</summary>\n<div id=\"{place}\" \
             class=\"cell-sentences\" tabindex=\"-1\">\n<h3>{name}, “{phrase}”</h3>\n{pairs}</div></details>\n",
            phrase = id.phrase(),
            name = escape(group.name),
            n = plural(records.len(), "pair"),
        );
        (id, html)
    })
}

fn section(input: &ReportInput<'_>, content: &str) -> String {
    let content = if input.items.is_empty() { "<p>The run has no item yet.</p>\n" } else { content };
    format!(
        "<section id=\"sentences\" class=\"screen-only\">\n<h2>Sentences</h2>\n{}{content}</section>\n",
        reading(input)
    )
}

fn reading(input: &ReportInput<'_>) -> String {
    format!(
        "<p>The pairs behind every cell, the highest masculine rate <i>r</i> first, items without a score last. Beside \
         each variant stands its score under the rule <code>{}</code>, below each of its tokens its log-probability, in \
         nats; – means not scored. Marked: tokens that only this variant has; tokens after them follow other words, so \
         their numbers differ too. ▁ is a space; · the rest of a character that an earlier token begins.</p>\n",
        input.results.rule
    )
}
