//! Names that look like the one that was typed.

/// The names nearest to `typed`, at most three: those that contain it, and those a few letters away.
pub fn near<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let typed = plain(typed);
    let mut found: Vec<(usize, &str)> = names
        .filter_map(|name| {
            let candidate = plain(name);
            let distance =
                if typed.len() >= 3 && candidate.contains(&typed) { 1 } else { edits(&typed, &candidate) };
            (distance <= 1 + typed.len() / 4).then_some((distance, name))
        })
        .collect();
    found.sort_by_key(|(distance, _)| *distance);
    found.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

/// Letters and digits only: people leave out hyphens and dots.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The least number of letters to insert, drop or exchange (Levenshtein's distance).
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let exchanged = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = exchanged.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = ["gemma-3-270m", "smollm2-135m-instruct", "eurollm-9b", "eurollm-9b-instruct"];

    #[test]
    fn distances_are_levenshteins() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("abc", "abc"), 0);
    }

    #[test]
    fn slips_and_short_forms_find_their_name() {
        assert_eq!(near("gema-3-270m", NAMES.into_iter()), ["gemma-3-270m"]);
        assert_eq!(near("gemma3_270M", NAMES.into_iter()), ["gemma-3-270m"]);
        assert_eq!(near("smollm2", NAMES.into_iter()), ["smollm2-135m-instruct"]);
        assert_eq!(near("EuroLLM-9B", NAMES.into_iter()), ["eurollm-9b", "eurollm-9b-instruct"]);
        assert!(near("gpt-4", NAMES.into_iter()).is_empty());
    }
}
