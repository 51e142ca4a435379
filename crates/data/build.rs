//! Lists the language packs, the rows of the built-in set and the inventories, so that adding a language is adding files and nothing else.
//! It reads no content: what the files hold is checked by the crate's readers and tests.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    let languages =
        table("LANGUAGES", "The language packs: file name and content.", &root.join("languages"), ".toml")?;
    let mini = table("MINI", "The rows of `mini`: file name and content.", &root.join("sets/mini"), ".csv")?;
    fs::write(out.join("embedded.rs"), languages + &mini + &inventories(&root.join("inventories"))?)
}

/// One table for each folder of inventories, and a table of those.
fn inventories(root: &Path) -> io::Result<String> {
    println!("cargo::rerun-if-changed={}", root.display());
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    folders.sort();
    let (mut code, mut list) = (String::new(), String::new());
    for (index, folder) in folders.iter().enumerate() {
        let name = format!("INVENTORY_{index}");
        code += &table(&name, "The files of an inventory: file name and content.", folder, ".toml")?;
        let folder = folder.file_name().unwrap_or_default().to_string_lossy();
        writeln!(list, "    ({folder:?}, {name}),").map_err(io::Error::other)?;
    }
    Ok(code
        + "/// The inventories: folder and files.\npub(crate) const INVENTORIES: &[(&str, &[(&str, &str)])] = &[\n"
        + &list
        + "];\n")
}

/// A constant with the name and the content of every file of a directory, in the order of their names.
fn table(name: &str, doc: &str, directory: &Path, ending: &str) -> io::Result<String> {
    println!("cargo::rerun-if-changed={}", directory.display());
    let mut files: Vec<PathBuf> =
        fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| file.to_string_lossy().ends_with(ending));
    files.sort();
    let mut code = format!("/// {doc}\npub(crate) const {name}: &[(&str, &str)] = &[\n");
    for file in &files {
        let file_name = file.file_name().unwrap_or_default().to_string_lossy();
        writeln!(code, "    ({file_name:?}, include_str!({:?})),", file.to_string_lossy())
            .map_err(io::Error::other)?;
    }
    Ok(code + "];\n")
}
