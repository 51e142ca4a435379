//! Whatever a file holds, it is read or refused.

use crate::{HEADER, read};

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]

    /// Whatever a file holds, it is read or refused.
    #[test]
    fn no_file_makes_the_reader_panic(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300)) {
        let _ = read("items.de.csv", &bytes);
        let _ = read("items.de.csv", [HEADER.as_bytes(), &bytes].concat());
        let _ = read("items.de.jsonl", [b"{", &*bytes].concat());
        let _ = read("w.csv", [b",GEST_sentence,German,German,stereotype_number\n", &*bytes].concat());
    }

    #[test]
    fn no_table_makes_the_reader_panic(text in "[a1,\"\n\r;&é\u{301} ]{0,80}") {
        let _ = read("items.de.csv", format!("{HEADER}{text}"));
        let _ = read("German.csv", format!("GEST_ID,Source,Stereotype_ID,Neutral,Masculine,Feminine\n{text}"));
        let _ = read("w.csv", format!("Language,GEST_sentence,German,German,stereotype_number\n,,the man said,the woman said,\n{text}"));
    }
}
