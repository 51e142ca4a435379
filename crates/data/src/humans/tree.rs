//! JSON whose repeated keys are seen: the usual map keeps the last of them and says nothing.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A JSON value; objects keep every entry in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tree {
    Object(Vec<(String, Self)>),
    Number(f64),
    Text(String),
    Null,
    Flag(bool),
    List,
}

impl Tree {
    /// In words, for a message.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Object(_) => "an object",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::Null => "`null`",
            Self::Flag(_) => "`true` or `false`",
            Self::List => "a list",
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Grow)
    }
}

struct Grow;

impl<'de> Visitor<'de> for Grow {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Tree::Object(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Tree, A::Error> {
        while list.next_element::<Tree>()?.is_some() {}
        Ok(Tree::List)
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree::Number(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Number(value as f64))
    }

    fn visit_str<E>(self, text: &str) -> Result<Tree, E> {
        Ok(Tree::Text(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Tree, E> {
        Ok(Tree::Flag(flag))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_key_is_there_twice() {
        let tree: Tree = serde_json::from_str(r#"{"a": 1, "a": {"b": null}}"#).unwrap();
        let inner = Tree::Object(vec![("b".to_owned(), Tree::Null)]);
        assert_eq!(tree, Tree::Object(vec![("a".to_owned(), Tree::Number(1.0)), ("a".to_owned(), inner)]));
    }
}
