//! Whether a page is sound.

use std::collections::HashSet;

/// The page without its one script, which is the one in `assets`.
fn without_script(html: &str) -> String {
    let script = format!("<script>{}</script>\n</body>", include_str!("../../assets/page.js"));
    assert_eq!(html.matches(&script).count(), 1);
    html.replace(&script, "</body>")
}

/// Tags are balanced, ids are unique, every reference leads somewhere, and no text has become markup.
pub fn check(html: &str) {
    let html = &without_script(html);
    let mut open: Vec<&str> = Vec::new();
    for part in html.split('<').skip(1) {
        let tag = part.split('>').next().unwrap();
        let name = tag.split([' ', '\n']).next().unwrap();
        let empty = ["!DOCTYPE", "meta"].contains(&name) || tag.ends_with('/');
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "near {tag}"),
            None if empty => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let after = |key: &str| -> Vec<String> {
        html.split(key).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    };
    let ids = after(" id=\"");
    let unique: HashSet<&String> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
    let labels = after("aria-labelledby=\"");
    let labels = labels.iter().flat_map(|label| label.split(' ').map(str::to_owned));
    for reference in after("href=\"#").into_iter().chain(labels) {
        assert!(unique.contains(&reference), "{reference}");
    }
    assert_eq!(html.matches("http").count(), html.matches("<meta http-equiv=").count());
    for word in ["NaN", "<script", "src=", "@import", "url("] {
        assert!(!html.contains(word), "{word}");
    }
    let words: HashSet<String> = html.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase).collect();
    for word in ["male", "female", "males", "females", "inf"] {
        assert!(!words.contains(word), "{word}");
    }
}
