//! EuroGEST's first release in miniature: its two headers, its padding, and what can go wrong with them.

mod common;

use common::packs;
use stereometer_data::{DataError, Info, StereotypeSet, Text, read_bytes};

const NEUTRAL: &str = ",GEST_sentence,Danish,French,stereotype_number\n\
                       0,I lead.,Jeg leder., Je dirige. ,9.0\n\
                       1,\"I cook, and I sing.\",,,4.0\n\
                       2,,,,\n";
const GENDERED: &str = "Language,GEST_sentence,French,French,stereotype_number\n\
                        Prompt,Unnamed: 1_level_1,the man said,the woman said,\n\
                        0,I lead.,,,9\n\
                        1,\"I cook, and I sing.\", Je suis cuisinier. ,Je suis cuisinière.,4\n\
                        2,,,,\n";

fn read(text: &str) -> Result<StereotypeSet, DataError> {
    read_bytes("wide.csv", text.as_bytes(), packs())
}

fn refused(text: &str) -> String {
    read(text).expect_err("the file should be refused").to_string()
}

#[test]
fn the_neutral_table_has_one_column_a_language() {
    let set = read(NEUTRAL).unwrap();
    assert_eq!(
        Info::of(&set).summary(),
        "2 neutral sentences in 2 languages (+ the English source) and 0 gendered pairs in 0 languages"
    );
    let french = set.sentences().iter().find(|sentence| sentence.language.as_str() == "fr").unwrap();
    assert_eq!((&*french.source, french.stereotype.get()), ("0", 9));
    assert_eq!(french.text, Text::Neutral("Je dirige.".to_owned()));
    let notes: Vec<String> = set.notes().iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "wide.csv: 1 row without stereotype and text skipped (first: record 3 (line 4))",
            "wide.csv: 1 cell had outer white space, which was taken off (first: record 1 (line 2), column `French`)",
        ]
    );
}

#[test]
fn the_gendered_table_has_two_columns_a_language_and_two_headers() {
    let set = read(GENDERED).unwrap();
    let french = set.sentences().iter().find(|sentence| sentence.language.as_str() == "fr").unwrap();
    assert_eq!((&*french.source, french.stereotype.get()), ("1", 4));
    assert_eq!(french.origin.to_string(), "wide.csv, record 2");
    let (masculine, feminine) = ("Je suis cuisinier.".to_owned(), "Je suis cuisinière.".to_owned());
    assert_eq!(french.text, Text::Gendered { masculine, feminine });
    // The columns may stand in either order: the second header decides.
    let turned = GENDERED.replace("the man said,the woman said", "the woman said,the man said");
    let turned = read(&turned).unwrap();
    let Text::Gendered { masculine, .. } = &turned.sentences().last().unwrap().text else { panic!("a pair") };
    assert_eq!(masculine, "Je suis cuisinière.");
}

#[test]
fn half_a_pair_is_refused_in_a_cell_and_in_a_column() {
    assert_eq!(
        refused(&GENDERED.replace("Je suis cuisinière.", "")),
        "wide.csv, record 2 (line 4), column `French`: the feminine sentence is missing beside its masculine one"
    );
    assert_eq!(
        refused(&GENDERED.replace("the woman said", "the man said")),
        "wide.csv, column `French`: the header names the column `French` twice"
    );
    assert_eq!(
        refused(&GENDERED.replace("the woman said", "they said")),
        "wide.csv, column `French`: the column `the man said` is missing; found: they said"
    );
}

#[test]
fn a_stereotype_or_a_language_that_does_not_exist_is_refused() {
    assert_eq!(
        refused(&NEUTRAL.replace("9.0", "17.0")),
        "wide.csv, record 1 (line 2), column `stereotype_number`: stereotype 17 does not exist: the GEST stereotypes are \
         numbered 1 to 16"
    );
    assert_eq!(
        refused(&NEUTRAL.replace("9.0", "")),
        "wide.csv, record 1 (line 2), column `stereotype_number`: the cell is empty"
    );
    assert_eq!(
        refused(&NEUTRAL.replace("Danish", "Danisch")),
        format!("wide.csv, column `Danisch`: unknown language `Danisch`; known: {}", packs().tags())
    );
    assert_eq!(
        refused(&NEUTRAL.replace("GEST_sentence", "sentence")),
        "wide.csv: the column `GEST_sentence` is missing; found: , sentence, Danish, French, stereotype_number"
    );
}
