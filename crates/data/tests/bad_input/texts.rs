//! Texts that are repaired, or kept with a doubt.

use crate::{HEADER, notes, read};

#[test]
fn texts_are_brought_to_nfc_and_trimmed_and_both_are_counted() {
    let file = format!("{HEADER}a,1,Ich ho\u{308}re zu.,,\nb,1,  Ich koche.\u{a0},,\n");
    let set = read("items.de.csv", &file).unwrap();
    let composed = read("items.de.csv", format!("{HEADER}a,1,Ich höre zu.,,\nb,1,Ich koche.,,\n")).unwrap();
    assert_eq!(set.content_sha256(), composed.content_sha256());
    assert_eq!(
        notes("items.de.csv", file),
        [
            "items.de.csv: 1 cell had outer white space, which was taken off (first: record 2 (line 3), \
             column `neutral`)",
            "items.de.csv: 1 cell brought to Unicode normal form C (first: record 1 (line 2), column `neutral`)",
        ]
    );
}

#[test]
fn doubtful_texts_are_kept_and_noted() {
    let at = |record: u32| format!("(first: record {record} (line {}), column `neutral`)", record + 1);
    assert_eq!(
        notes(
            "items.de.csv",
            format!(
                "{HEADER}a,1,Ich sage &quot;nein&quot;.,,\nb,1,NA,,\nc,1,Ich h\u{fffd}re zu.,,\nd,1,Ich\u{ad}koche.,,\n"
            )
        ),
        [
            format!(
                "items.de.csv: 1 cell with an HTML entity such as `&quot;`, kept as text; decode it in the file {}",
                at(1)
            ),
            format!(
                "items.de.csv: 1 cell with a word such as `NA`, kept as text; leave a cell empty if it is empty {}",
                at(2)
            ),
            format!(
                "items.de.csv: 1 cell with the character U+FFFD, which stands for a lost letter {}",
                at(3)
            ),
            format!("items.de.csv: 1 cell with invisible characters, kept as they are {}", at(4)),
        ]
    );
}

#[test]
fn a_text_in_another_script_is_noted() {
    let file = format!("{HEADER}a,1,I cook.,,\nb,1,Гледам Netflix.,,\n");
    assert_eq!(
        notes("items.bg.csv", file),
        [
            "items.bg.csv: 1 cell without a letter of the language's script: is this the right language? (first: record 1 (line 2), column `neutral`)"
        ]
    );
}

#[test]
fn decomposed_letters_of_every_kind_are_composed() {
    for (decomposed, composed) in
        [("a\u{306}\u{301}", "ắ"), ("\u{1112}\u{1161}\u{11ab}", "한"), ("\u{aa}\u{300}", "ª\u{300}")]
    {
        let set = read("items.de.csv", format!("{HEADER}a,1,Wort {decomposed},,\n")).unwrap();
        assert_eq!(set.sentences()[0].text, stereometer_data::Text::Neutral(format!("Wort {composed}")));
    }
}
