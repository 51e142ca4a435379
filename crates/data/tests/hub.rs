//! The layout of the Hugging Face Hub: one split a language, as CSV or Parquet.

mod common;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use common::packs;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use stereometer_data::{DataError, Info, StereotypeSet, open};

const HEADER: &str = "GEST_ID,Source,Stereotype_ID,Neutral,Masculine,Feminine\n";
const BULGARIAN: &str = "0,I have always been a leader.,9,,Винаги съм бил лидер,Винаги съм била лидер\n\
                         2,I cook.,4,Готвя,,\n7,I sing.,5,,,\n";
const FINNISH: &str = "0,I have always been a leader.,9,Olen aina ollut johtaja.,,\n2,I cook.,4,Kokkaan.,,\n";

fn opened(directory: &Path) -> Result<StereotypeSet, DataError> {
    open("eurogest", Some(directory), packs())
}

/// A directory with these files, read as EuroGEST.
fn read(files: &[(&str, &[u8])]) -> Result<StereotypeSet, DataError> {
    let directory = tempfile::tempdir().expect("a directory for the test");
    for (name, content) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory for the test");
        fs::write(path, content).expect("a file for the test");
    }
    opened(directory.path())
}

fn csv(rows: &str) -> Vec<u8> {
    format!("{HEADER}{rows}").into_bytes()
}

/// The rows of a CSV text as Parquet, with the types that `datasets` and pandas write.
fn parquet(rows: &str, id_is_number: bool) -> Vec<u8> {
    let id_type = if id_is_number { "INT64 GEST_ID" } else { "BYTE_ARRAY GEST_ID (UTF8)" };
    let text = |name: &str| format!("OPTIONAL BYTE_ARRAY {name} (UTF8);");
    let schema = format!(
        "message schema {{ OPTIONAL {id_type}; {} OPTIONAL DOUBLE Stereotype_ID; {} {} {} }}",
        text("Source"),
        text("Neutral"),
        text("Masculine"),
        text("Feminine"),
    );
    let schema = Arc::new(parse_message_type(&schema).expect("a schema"));
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).expect("a writer");
    let mut group = writer.next_row_group().expect("a row group");
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split(',').collect()).collect();
    for column in 0..6 {
        let cells: Vec<&str> = rows.iter().map(|row| row[column]).filter(|cell| !cell.is_empty()).collect();
        let levels: Vec<i16> = rows.iter().map(|row| i16::from(!row[column].is_empty())).collect();
        let mut writer = group.next_column().expect("no error").expect("a column");
        if column == 2 {
            let values: Vec<f64> = cells.iter().map(|cell| cell.parse().expect("a number")).collect();
            writer.typed::<DoubleType>().write_batch(&values, Some(&levels), None).expect("written");
        } else if column == 0 && id_is_number {
            let values: Vec<i64> = cells.iter().map(|cell| cell.parse().expect("a number")).collect();
            writer.typed::<Int64Type>().write_batch(&values, Some(&levels), None).expect("written");
        } else {
            let values: Vec<ByteArray> = cells.into_iter().map(ByteArray::from).collect();
            writer.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None).expect("written");
        }
        writer.close().expect("closed");
    }
    group.close().expect("closed");
    writer.into_inner().expect("a file")
}

#[test]
fn a_split_is_a_language_and_its_source_is_english() {
    let set = read(&[("Bulgarian.csv", &csv(BULGARIAN)), ("Finnish.csv", &csv(FINNISH))]).unwrap();
    assert_eq!(
        Info::of(&set).summary(),
        "3 neutral sentences in 2 languages (+ the English source) and 1 gendered pair in 1 language"
    );
    let english: Vec<(&str, String)> = set
        .sentences()
        .iter()
        .filter(|sentence| sentence.language.as_str() == "en")
        .map(|sentence| (&*sentence.source, sentence.origin.to_string()))
        .collect();
    let origin = |record: u32| format!("Bulgarian.csv, record {record}");
    assert_eq!(english, [("0", origin(1)), ("2", origin(2)), ("7", origin(3))]);
    assert_eq!(set.provenance().licence.as_deref(), Some("Apache-2.0"));
    let notes: Vec<String> = set.notes().iter().map(ToString::to_string).collect();
    assert_eq!(notes.len(), 1);
    assert!(notes[0].contains("1 row without a sentence in this language skipped (first: "), "{notes:?}");
}

#[test]
fn names_of_splits_are_names_of_languages_in_several_spellings() {
    for name in [
        "Bulgarian.csv",
        "bg.csv",
        "data/bulgarian.csv",
        "data/Bulgarian-00000-of-00001.csv",
        "EuroGEST_bg.csv",
        "test-Bulgarian-00000-of-00001.csv",
    ] {
        let set =
            read(&[(name, &csv(BULGARIAN)), ("README.md", b"words"), (".cache/x.csv", b"a,b\n")]).unwrap();
        assert_eq!(
            set.languages().iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["bg", "en"],
            "{name}"
        );
    }
    let error = read(&[("train.csv", &csv(BULGARIAN))]).unwrap_err();
    assert!(
        error.to_string().ends_with(
            "train.csv: neither a column `language` nor the file's name says which language this is"
        )
    );
}

#[test]
fn parquet_and_csv_are_the_same_set() {
    let as_csv = read(&[("Bulgarian.csv", &csv(BULGARIAN)), ("Finnish.csv", &csv(FINNISH))]).unwrap();
    for id_is_number in [true, false] {
        let as_parquet = read(&[
            ("data/Bulgarian-00000-of-00001.parquet", &parquet(BULGARIAN, id_is_number)),
            ("data/Finnish-00000-of-00001.parquet", &parquet(FINNISH, id_is_number)),
        ])
        .unwrap();
        assert_eq!(as_parquet.content_sha256(), as_csv.content_sha256());
    }
}

/// Files that pyarrow wrote (`fixtures/make.py`): dictionary pages and Snappy, as on the Hub, and a compression that is not built in.
#[test]
fn files_of_pyarrow_are_read_and_an_unknown_compression_is_named() {
    let fixture = |name: &str| {
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)).unwrap()
    };
    let snappy = read(&[("Finnish.parquet", &fixture("Finnish-snappy.parquet"))]).unwrap();
    let as_csv = read(&[("Finnish.csv", &csv(FINNISH))]).unwrap();
    assert_eq!(snappy.content_sha256(), as_csv.content_sha256());
    let error = read(&[("Finnish.parquet", &fixture("Finnish-zstd.parquet"))]).unwrap_err();
    assert!(
        error.to_string().ends_with(
            "Finnish.parquet: the Parquet file is compressed with zstd; Snappy and no compression are read"
        ),
        "{error}"
    );
    assert_eq!(error.hint().unwrap(), "write it with Snappy, or as CSV");
}

#[test]
fn shards_of_a_split_belong_together() {
    let [first, second] =
        ["0,I cook.,4,Kokkaan.,,\n", "10,I sing.,5,Laulan.,,\n9,I run.,16,Juoksen.,,\n"].map(csv);
    let files: [(&str, &[u8]); 2] =
        [("Finnish-00000-of-00002.csv", &first), ("Finnish-00001-of-00002.csv", &second)];
    let set = read(&files).unwrap();
    let finnish: Vec<&str> = set
        .sentences()
        .iter()
        .filter(|sentence| sentence.language.as_str() == "fi")
        .map(|sentence| &*sentence.source)
        .collect();
    assert_eq!(finnish, ["0", "9", "10"]);
}

#[test]
fn an_english_split_is_the_source_and_counts_once() {
    let english = "0,I have always been a leader.,9,I have always been a leader.,,\n2,I cook.,4,,,\n";
    let set = read(&[("English.csv", &csv(english)), ("Finnish.csv", &csv(FINNISH))]).unwrap();
    assert_eq!(
        Info::of(&set).summary(),
        "2 neutral sentences in 1 language (+ the English source) and 0 gendered pairs in 0 languages"
    );
    assert_eq!(set.sentences().len(), 4);
    let other = "0,I was always a leader.,9,Olen aina ollut johtaja.,,\n";
    let set = read(&[("English.csv", &csv(english)), ("Finnish.csv", &csv(other))]).unwrap();
    assert!(
        set.notes()[0].to_string().contains("1 row with another source sentence than before"),
        "{:?}",
        set.notes()
    );
}

#[test]
fn a_parquet_file_without_a_column_or_with_a_wrong_number() {
    let wrong = FINNISH.replace(",9,", ",17,");
    let error = read(&[("Finnish.parquet", &parquet(&wrong, true))]).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "Finnish.parquet, record 1, column `Stereotype_ID`: stereotype 17 does not exist: the GEST stereotypes are \
             numbered 1 to 16"
        ),
        "{error}"
    );
    let schema = Arc::new(parse_message_type("message schema { OPTIONAL INT64 GEST_ID; }").unwrap());
    let writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    let error = read(&[("Finnish.parquet", &writer.into_inner().unwrap())]).unwrap_err().to_string();
    assert!(
        error.ends_with("Finnish.parquet: the column `Stereotype_ID` is missing; found: GEST_ID"),
        "{error}"
    );
}

#[test]
fn a_damaged_parquet_file_is_refused_and_not_a_crash() {
    let whole = parquet(FINNISH, true);
    let refused = |bytes: &[u8]| read(&[("Finnish.parquet", bytes)]).map_err(|error| error.to_string());
    for length in [4, 8, 12, whole.len() / 2, whole.len() - 1] {
        let error = refused(&whole[..length]).unwrap_err();
        assert!(error.contains("Finnish.parquet: the Parquet file cannot be read: "), "{error}");
    }
    // A byte turned over, anywhere below the magic number: refused, or read as something else, but never a crash.
    for place in (4..whole.len()).step_by(3) {
        let mut damaged = whole.clone();
        damaged[place] ^= 0xff;
        let _ = refused(&damaged);
    }
}
