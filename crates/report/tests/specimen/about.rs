//! Whether all that names a language or a stereotype in a drawing joins the page's filter.

use stereometer_core::{Gender, StereotypeId};
use stereometer_report::Links;
use stereometer_report::figures::Figure;

/// A name as a figure may write it, with the attribute of what it names.
type Name = (String, String);

/// The names of these languages, in full and as tags, and of all stereotypes, as sentences and below “women are …”.
pub fn names(languages: &[(&str, &str)]) -> Vec<Name> {
    let of_language = |(tag, name): &(&str, &str)| {
        [*name, *tag].map(|text| (text.to_owned(), format!("data-language=\"{tag}\"")))
    };
    let of_stereotype = |id: StereotypeId| {
        let info = id.info();
        let whom = if info.about == Gender::Feminine { "women" } else { "men" };
        [info.name.to_owned(), format!("{whom} are {}", info.name)]
            .map(|text| (text, format!("data-stereotype=\"{id}\"")))
    };
    languages.iter().flat_map(of_language).chain(StereotypeId::all().flat_map(of_stereotype)).collect()
}

/// Every text that is a name, and every group whose title begins with names, stands inside groups that are about what is
/// named and about nothing else of its kind. Returns how many were found.
pub fn joins(figure: &Figure, names: &[Name]) -> usize {
    let svg = figure.svg.inline(figure.name, figure.title, &figure.alt, &Links::default());
    let (mut open, mut found): (Vec<&str>, usize) = (Vec::new(), 0);
    for line in svg.lines().skip(1) {
        if line.starts_with("</g>") {
            open.pop();
            continue;
        }
        let is_group = line.starts_with("<g ");
        let said = if is_group {
            open.push(line.split("<title>").next().unwrap_or_default());
            let title = line.split("<title>").nth(1).unwrap_or_default();
            title.split(':').next().unwrap_or_default()
        } else if line.starts_with("<text ") {
            line.split('>').nth(1).unwrap_or_default().trim_end_matches("</text")
        } else {
            continue;
        };
        let parts: Vec<&str> = if is_group { said.split(", ").collect() } else { vec![said] };
        for (name, attribute) in names.iter().filter(|(name, _)| parts.contains(&name.as_str())) {
            let kind = attribute.split('=').next().unwrap_or_default();
            let about: Vec<&&str> = open.iter().filter(|group| group.contains(kind)).collect();
            let all = about.iter().all(|group| group.contains(attribute.as_str()));
            assert!(!about.is_empty() && all, "{}, {name}: {line} in {open:?}", figure.name);
            found += 1;
        }
    }
    assert!(open.is_empty(), "{}", figure.name);
    found
}
