//! The controls that show a part of the rows: by language and by stereotype.
//!
//! They are hidden until the script brings them to life, so that nobody meets dead ones. Nothing chosen = everything
//! shown; rows and marks that name no language (means over the languages) stay.

use stereometer_core::{Language, StereotypeId};

use crate::html::escape;

/// The controls; a choice of one thing is none, and left out.
pub fn filter<'a>(languages: impl Iterator<Item = (&'a Language, &'a str)>) -> String {
    let mut languages: Vec<(String, String)> =
        languages.map(|(tag, name)| (tag.to_string(), name.to_owned())).collect();
    languages.sort_by(|a, b| a.1.cmp(&b.1));
    let stereotypes: Vec<(String, String)> =
        StereotypeId::all().map(|id| (id.to_string(), id.phrase())).collect();
    let choices = [("language", "Languages", languages), ("stereotype", "Stereotypes", stereotypes)]
        .map(|(name, label, values)| choice(name, label, &values))
        .concat();
    format!(
        "<form class=\"filter screen-only\" aria-label=\"Show a part of the rows and marks\" hidden>\n<span>Show</span>\n{choices}\
         <button type=\"reset\">Reset</button> <output></output>\n</form>\n"
    )
}

fn choice(name: &str, label: &str, values: &[(String, String)]) -> String {
    if values.len() < 2 {
        return String::new();
    }
    let boxes: String = values
        .iter()
        .map(|(value, text)| {
            format!(
                "<label><input type=\"checkbox\" name=\"{name}\" value=\"{value}\"/> {}</label>\n",
                escape(text)
            )
        })
        .collect();
    format!(
        "<details><summary>{label}: <span>all</span></summary>\n<fieldset><legend>{label}</legend>\n{boxes}</fieldset>\
         </details>\n"
    )
}
