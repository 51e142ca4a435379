//! What does the user want to explain by what? R's notation for linear mixed models, the part of it that is needed here.
//!
//! ```text
//! y ~ en + ru + (1 | trait) + (1 + en | group)
//! ```
//!
//! Before `~` the response, behind it columns for fixed effects; `0` or `-1` takes the intercept out. `(… | g)` lets the
//! intercept (`1`, also where it is not written) and slopes vary over the levels of `g`, correlated; `||` keeps them
//! apart. A name with signs in it stands in backticks. Interactions, nesting and functions are not read: such a column
//! is made in the table.

use super::MixedError;

/// A formula, checked for form but not against a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    /// What is explained.
    pub response: String,
    /// Whether there is a fixed intercept.
    pub intercept: bool,
    /// Columns with fixed effects.
    pub fixed: Vec<String>,
    /// What varies over levels.
    pub random: Vec<Random>,
}

/// One `(… | g)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random {
    /// Whether the intercept varies.
    pub intercept: bool,
    /// Columns whose slopes vary.
    pub slopes: Vec<String>,
    /// The grouping factor.
    pub group: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Name(String),
    Sign(char),
    Bars,
}

impl Formula {
    /// Reads a formula.
    pub fn parse(text: &str) -> Result<Self, MixedError> {
        let wrong = |detail: String| MixedError::Formula { formula: text.to_owned(), detail };
        let tokens = tokens(text).map_err(wrong)?;
        Parser { rest: &tokens }.formula().map_err(wrong)
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut chars = text.chars().peekable();
    let is_in_name =
        |c: char| c.is_alphanumeric() || c == '_' || c == '.' || (!c.is_ascii() && !c.is_whitespace());
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => {}
            '`' => {
                let mut name = String::new();
                loop {
                    match chars.next() {
                        Some('`') => break,
                        Some(c) => name.push(c),
                        None => return Err("a backtick is not closed".to_owned()),
                    }
                }
                tokens.push(Token::Name(name));
            }
            '|' if chars.next_if_eq(&'|').is_some() => tokens.push(Token::Bars),
            '~' | '+' | '-' | '(' | ')' | '|' => tokens.push(Token::Sign(c)),
            ':' | '*' | '/' | '^' => {
                return Err(format!(
                    "`{c}` (interaction or nesting) is not read; make such a column in the table"
                ));
            }
            c if is_in_name(c) => {
                let mut name = String::from(c);
                while let Some(c) = chars.next_if(|&c| is_in_name(c)) {
                    name.push(c);
                }
                tokens.push(Token::Name(name));
            }
            c => return Err(format!("`{c}` means nothing here; names with signs stand in backticks")),
        }
    }
    Ok(tokens)
}

/// Intercept and columns of a sum.
struct Sum {
    intercept: bool,
    columns: Vec<String>,
}

struct Parser<'a> {
    rest: &'a [Token],
}

impl Parser<'_> {
    fn next(&mut self) -> Option<Token> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first.clone())
    }

    fn is_next(&mut self, sign: char) -> bool {
        let found = self.rest.first() == Some(&Token::Sign(sign));
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    fn name(&mut self, what: &str) -> Result<String, String> {
        match self.next() {
            Some(Token::Name(name)) => Ok(name),
            Some(other) => Err(format!("{} stands where {what} should", other.shown())),
            None => Err(format!("{what} is missing at the end")),
        }
    }

    fn formula(mut self) -> Result<Formula, String> {
        let response = self.name("the response")?;
        if !self.is_next('~') {
            return Err("a `~` is missing behind the response".to_owned());
        }
        let mut random = Vec::new();
        let sum = self.sum(&mut |parser| {
            random.extend(parser.random()?);
            Ok(())
        })?;
        if let Some(token) = self.next() {
            return Err(format!("{} stands where a `+` should", token.shown()));
        }
        if sum.columns.contains(&response) {
            return Err(format!("`{response}` cannot explain itself"));
        }
        if random.is_empty() {
            return Err("no random effect such as `(1 | group)`: that is not a mixed model".to_owned());
        }
        if let Some((what, group)) = repeated(&random) {
            return Err(format!("{what} varies over `{group}` twice"));
        }
        Ok(Formula { response, intercept: sum.intercept, fixed: sum.columns, random })
    }

    /// Terms joined by `+` and `-`; `bracket` reads one in brackets, which is only allowed outermost.
    fn sum(&mut self, bracket: &mut dyn FnMut(&mut Self) -> Result<(), String>) -> Result<Sum, String> {
        let mut sum = Sum { intercept: true, columns: Vec::new() };
        let mut is_negative = self.is_next('-');
        loop {
            if self.is_next('(') {
                bracket(self)?;
            } else {
                match (self.name("a column")?.as_str(), is_negative) {
                    ("1", negative) => sum.intercept = !negative,
                    ("0", false) => sum.intercept = false,
                    (name, true) => return Err(format!("`- {name}`: only `- 1` can be taken away")),
                    (name, false) if name.chars().all(|c| c.is_ascii_digit() || c == '.') => {
                        return Err(format!("`{name}`: of numbers only 0 and 1 mean something here"));
                    }
                    (name, false) => {
                        if self.rest.first() == Some(&Token::Sign('(')) {
                            return Err(format!(
                                "`{name}(…)`: functions are not read; make such a column in the table"
                            ));
                        }
                        if sum.columns.iter().any(|column| column == name) {
                            return Err(format!("`{name}` stands there twice"));
                        }
                        sum.columns.push(name.to_owned());
                    }
                }
            }
            is_negative = match self.rest.first() {
                Some(Token::Sign('+')) => false,
                Some(Token::Sign('-')) => true,
                _ => return Ok(sum),
            };
            self.rest = &self.rest[1..];
        }
    }

    /// Behind the opening bracket.
    fn random(&mut self) -> Result<Vec<Random>, String> {
        let sum = self.sum(&mut |_| Err("brackets within brackets are not read".to_owned()))?;
        let is_apart = match self.next() {
            Some(Token::Sign('|')) => false,
            Some(Token::Bars) => true,
            _ => {
                return Err(
                    "brackets hold a random effect such as `(1 | group)`; a `|` is missing".to_owned()
                );
            }
        };
        let group = self.name("a grouping factor")?;
        if !self.is_next(')') {
            return Err(format!("a `)` is missing behind the grouping factor `{group}`"));
        }
        if !sum.intercept && sum.columns.is_empty() {
            return Err(format!("`(0 | {group})` lets nothing vary"));
        }
        if !is_apart {
            return Ok(vec![Random { intercept: sum.intercept, slopes: sum.columns, group }]);
        }
        let alone =
            sum.intercept.then(|| Random { intercept: true, slopes: Vec::new(), group: group.clone() });
        let slopes = sum.columns.into_iter();
        let slopes = slopes.map(|name| Random { intercept: false, slopes: vec![name], group: group.clone() });
        Ok(alone.into_iter().chain(slopes).collect())
    }
}

/// What varies over one factor in two terms: the data could not divide its variance between them.
fn repeated(random: &[Random]) -> Option<(String, &str)> {
    let parts = |term: &Random| {
        let intercept = term.intercept.then(|| "the intercept".to_owned());
        intercept.into_iter().chain(term.slopes.iter().map(|name| format!("`{name}`"))).collect::<Vec<_>>()
    };
    random.iter().enumerate().find_map(|(place, term)| {
        let earlier = random[..place].iter().filter(|other| other.group == term.group);
        let earlier: Vec<String> = earlier.flat_map(parts).collect();
        let twice = parts(term).into_iter().find(|part| earlier.contains(part))?;
        Some((twice, term.group.as_str()))
    })
}

impl Token {
    fn shown(&self) -> String {
        match self {
            Self::Name(name) => format!("`{name}`"),
            Self::Sign(sign) => format!("`{sign}`"),
            Self::Bars => "`||`".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(intercept: bool, slopes: &[&str], group: &str) -> Random {
        let slopes = slopes.iter().map(|&name| name.to_owned()).collect();
        Random { intercept, slopes, group: group.to_owned() }
    }

    #[test]
    fn sums_and_brackets() {
        let formula = Formula::parse("y ~ en + `native zh` + (1 | trait) + (ru | g)+(0+hi|`a:b`)").unwrap();
        assert_eq!((formula.response.as_str(), formula.intercept), ("y", true));
        assert_eq!(formula.fixed, ["en", "native zh"]);
        let expected =
            [random(true, &[], "trait"), random(true, &["ru"], "g"), random(false, &["hi"], "a:b")];
        assert_eq!(formula.random, expected);
    }

    #[test]
    fn two_bars_keep_parts_apart() {
        let formula = Formula::parse("y ~ 0 + x + (x + z || g)").unwrap();
        assert!(!formula.intercept);
        let expected = [random(true, &[], "g"), random(false, &["x"], "g"), random(false, &["z"], "g")];
        assert_eq!(formula.random, expected);
        assert!(!Formula::parse("y ~ x - 1 + (1 | g)").unwrap().intercept);
    }

    #[test]
    fn every_error_says_what_is_wrong() {
        let cases = [
            ("", "the response is missing at the end"),
            ("y", "a `~` is missing behind the response"),
            ("y ~ x", "no random effect such as `(1 | group)`: that is not a mixed model"),
            ("y ~ x +", "a column is missing at the end"),
            ("y ~ (1 | g) (1 | h)", "`(` stands where a `+` should"),
            ("y ~ y + (1 | g)", "`y` cannot explain itself"),
            ("y ~ x + x + (1 | g)", "`x` stands there twice"),
            (
                "y ~ x:z + (1 | g)",
                "`:` (interaction or nesting) is not read; make such a column in the table",
            ),
            ("y ~ log(x) + (1 | g)", "`log(…)`: functions are not read; make such a column in the table"),
            ("y ~ 2 + (1 | g)", "`2`: of numbers only 0 and 1 mean something here"),
            ("y ~ x - z + (1 | g)", "`- z`: only `- 1` can be taken away"),
            ("y ~ x; + (1 | g)", "`;` means nothing here; names with signs stand in backticks"),
            ("y ~ (x)", "brackets hold a random effect such as `(1 | group)`; a `|` is missing"),
            ("y ~ (1 | g", "a `)` is missing behind the grouping factor `g`"),
            ("y ~ (1 | )", "`)` stands where a grouping factor should"),
            ("y ~ (0 | g)", "`(0 | g)` lets nothing vary"),
            ("y ~ ((1 | g))", "brackets within brackets are not read"),
            ("y ~ (1 | g) + (1 | g)", "the intercept varies over `g` twice"),
            ("y ~ `x + (1 | g)", "a backtick is not closed"),
        ];
        for (text, expected) in cases {
            let error = Formula::parse(text).unwrap_err();
            assert_eq!(error.to_string(), format!("formula `{text}`: {expected}"));
            assert!(error.is_formula());
        }
    }
}
