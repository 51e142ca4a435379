//! How wide a name is in whichever script, and how it is cut where a figure has no room for all of it.

/// Width in Latin letters, roughly: Chinese is nearly two wide, a mark that sits on a letter nothing, one beside it a half.
pub fn letters(text: &str) -> f64 {
    let wide = |character| match character {
        c if is_beside(c) => 0.5,
        c if is_mark(c) => 0.0,
        c if is_wide(c) => 1.8,
        _ => 1.0,
    };
    text.chars().map(wide).sum()
}

/// Vowel signs of the scripts of India that stand beside their letter: those of ā, i, ī, o, au.
pub fn is_beside(character: char) -> bool {
    ('\u{900}'..='\u{d7f}').contains(&character)
        && matches!(u32::from(character) & 0x7f, 0x3e..=0x40 | 0x49..=0x4c)
}

/// The beginning of a name that is as wide as this at most, marks kept with their letters.
pub fn cut(text: &str, most: f64) -> String {
    if letters(text) <= most {
        return text.to_owned();
    }
    let mut kept = String::new();
    for character in text.chars() {
        if letters(&kept) + 2.0 > most && !is_mark(character) {
            break;
        }
        kept.push(character);
    }
    // A half letter before the cut would show its sign of joining.
    let kept = kept.trim_end_matches(['\u{94d}', '\u{200d}', ' ']);
    format!("{kept}…")
}

fn is_wide(character: char) -> bool {
    matches!(character, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3fffd}')
}

/// Marks above, below and between letters: general ones, and the vowel signs of the scripts of India.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200d}' | '\u{591}'..='\u{5bd}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}')
        || (('\u{900}'..='\u{d7f}').contains(&character)
            && matches!(u32::from(character) & 0x7f, 0x00..=0x03 | 0x3a..=0x3c | 0x3e..=0x4f | 0x51..=0x57 | 0x62 | 0x63))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_take_no_room_and_are_never_cut_from_their_letter() {
        assert_eq!(letters("женщина"), 7.0);
        assert!(letters("家庭主妇") > 7.0);
        assert_eq!(letters("गृहिणी"), 4.0, "three letters, one sign below, two beside");
        assert_eq!(cut("short", 9.0), "short");
        assert_eq!(cut("a very long name of a group", 10.0), "a very lo…");
        for most in 2..20 {
            let cut = cut("प्यूर्टो रिकोवासी व्यक्ति और लोग", f64::from(most));
            assert!(letters(&cut) <= f64::from(most) + 1.0 && !cut.contains("\u{94d}…"), "{cut}");
        }
    }
}
