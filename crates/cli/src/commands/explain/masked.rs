//! Masked models: every token with itself hidden, alone or with the later pieces of its word; for a pair, every method.

use stereometer_audit::Asker;
use stereometer_core::{Method, Rule, Unscorable};
use stereometer_lm::{FramedEncoding, LmError, LmKind, LoadedLm, MaskedLm, TokenLogProbs, Tokenizer};
use stereometer_score::methods::pll::{self, PllKind};
use stereometer_score::{
    PairLogProbs, check_answers, first_difference, info, masculine_rate, pair_methods, text_score,
};

use super::{summary, tokens, unscorable};
use crate::args::ExplainArgs;
use crate::failure::{Exit, Failure};
use crate::out::put;
use crate::table::{Column, render};
use crate::words::number;

/// Explains a text or a pair.
pub fn explain(
    args: &ExplainArgs,
    (loaded, lm): (&LoadedLm, &dyn MaskedLm),
    tokenizer: &Tokenizer,
) -> Result<Exit, Failure> {
    let first = Asked::ask(&args.first, lm, tokenizer)?;
    let Some(second) = &args.second else {
        if !first.is_finite() {
            return unscorable(&Unscorable::NotFinite);
        }
        put!("{}", first.shown(None))?;
        return Ok(if first.original.n_scored() == 0 { Exit::SomeUnscored } else { Exit::Done });
    };
    let second = Asked::ask(second, lm, tokenizer)?;
    if !first.is_finite() || !second.is_finite() {
        return unscorable(&Unscorable::NotFinite);
    }
    let pair = PairLogProbs { masculine: first.original.clone(), feminine: second.original.clone() };
    let difference = first_difference(&pair);
    put!("masculine\n{}\n", first.shown(Some(difference)))?;
    put!("feminine\n{}\n", second.shown(Some(difference)))?;
    if first.text == second.text {
        return unscorable(&Unscorable::EqualTexts);
    }
    if first.encoding.ids == second.encoding.ids {
        return unscorable(&Unscorable::EqualIds);
    }
    put!("the two diverge at position {difference}\n")?;
    let texts = [first.text, second.text];
    let mut rows = Vec::new();
    let mut exit = Exit::Done;
    for method in pair_methods(LmKind::Masked) {
        let scores = scores(method, loaded, texts, tokenizer)?;
        if scores.is_err() && method == Method::PllOriginal {
            exit = Exit::SomeUnscored;
        }
        rows.extend(info(method).rules.iter().map(|&rule| row(method, rule, &scores, texts)));
    }
    put!("{}", render(&COLUMNS, &rows))?;
    Ok(exit)
}

const COLUMNS: [Column; 6] = [
    Column::Left("method"),
    Column::Left("rule"),
    Column::Right("masculine"),
    Column::Right("feminine"),
    Column::Right("masculine rate"),
    Column::Left("what it is"),
];

/// A text with its answers under both kinds of pll.
struct Asked<'a> {
    text: &'a str,
    pieces: Vec<String>,
    encoding: FramedEncoding,
    original: TokenLogProbs,
    within_word: TokenLogProbs,
}

impl<'a> Asked<'a> {
    fn ask(text: &'a str, lm: &dyn MaskedLm, tokenizer: &Tokenizer) -> Result<Self, Failure> {
        let encoding = tokenizer.encode_framed(text)?;
        let (tokens, context) = (encoding.ids.len(), lm.info().context_length);
        if tokens > context {
            return Err(LmError::TooLong { tokens, context }.into());
        }
        let answer = |kind| -> Result<TokenLogProbs, Failure> {
            let clozes = pll::clozes(&encoding, kind, lm.mask_id());
            Ok(pll::reduce(&encoding.ids, &clozes, &lm.cloze_logprobs(&clozes)?))
        };
        let (original, within_word) = (answer(PllKind::Original)?, answer(PllKind::WithinWord)?);
        Ok(Self { text, pieces: tokenizer.encode(text)?.tokens, encoding, original, within_word })
    }

    fn is_finite(&self) -> bool {
        self.original.is_finite() && self.within_word.is_finite()
    }

    fn shown(&self, difference: Option<usize>) -> String {
        let answers =
            [(Method::PllOriginal.name(), &self.original), (Method::PllWithinWord.name(), &self.within_word)];
        let sums = answers.map(|(name, answer)| format!("{name}: {}", summary(answer)));
        format!("{}{}\n\n{}", tokens(&self.pieces, &answers, difference), self.words(), sums.join("\n"))
    }

    /// Sums over whole words, where a word has several pieces.
    fn words(&self) -> String {
        let encoding = &self.encoding;
        let mut places: Vec<Vec<usize>> = Vec::new();
        for (position, word) in encoding.words.iter().enumerate() {
            let goes_on = position > 0 && encoding.words[position - 1] == *word;
            match places.last_mut() {
                Some(place) if goes_on && word.is_some() => place.push(position),
                _ if word.is_some() => places.push(vec![position]),
                _ => {}
            }
        }
        if places.iter().all(|place| place.len() == 1) {
            return String::new();
        }
        let columns = [
            Column::Right("pieces"),
            Column::Right(Method::PllOriginal.name()),
            Column::Right(Method::PllWithinWord.name()),
            Column::Left("word"),
        ];
        let rows: Vec<Vec<String>> = places.iter().map(|place| self.word(place)).collect();
        format!("\n\n{}", render(&columns, &rows))
    }

    fn word(&self, place: &[usize]) -> Vec<String> {
        let sum = |answer: &TokenLogProbs| {
            let values = place.iter().filter_map(|&at| answer.logprobs[at]);
            number(values.map(f64::from).sum(), 6)
        };
        let spans = || place.iter().map(|&at| self.encoding.spans[at]);
        let (from, to) =
            (spans().map(|span| span.0).min().unwrap_or(0), spans().map(|span| span.1).max().unwrap_or(0));
        let word = self.text.get(from..to).unwrap_or_default().trim().to_owned();
        vec![place.len().to_string(), sum(&self.original), sum(&self.within_word), word]
    }
}

fn scores(
    method: Method,
    lm: &LoadedLm,
    texts: [&str; 2],
    tokenizer: &Tokenizer,
) -> Result<Result<PairLogProbs, Unscorable>, Failure> {
    let asker = Asker::new(lm, method, tokenizer)?;
    Ok(match asker.question(texts)? {
        Ok(question) => {
            asker.ask(&[question])?.pop().ok_or(Unscorable::NothingScored).and_then(check_answers)
        }
        Err(reason) => Err(reason),
    })
}

fn row(
    method: Method,
    rule: Rule,
    scores: &Result<PairLogProbs, Unscorable>,
    texts: [&str; 2],
) -> Vec<String> {
    let values = scores.clone().and_then(|pair| {
        let difference = first_difference(&pair);
        Ok([
            text_score(rule, &pair.masculine, difference, texts[0])?,
            text_score(rule, &pair.feminine, difference, texts[1])?,
            masculine_rate(rule, &pair, texts)?.value,
        ])
    });
    let (numbers, words) = match values {
        Ok(values) => (values.map(|value| number(value, 6)), what(method, rule).to_owned()),
        Err(reason) => (["–"; 3].map(str::to_owned), format!("unscorable: {reason}")),
    };
    let mut row = vec![method.to_string(), rule.to_string()];
    row.extend(numbers);
    row.push(words);
    row
}

/// Where there is one rule, the method says it all.
fn what(method: Method, rule: Rule) -> &'static str {
    if info(method).rules.len() == 1 { info(method).summary } else { rule.summary() }
}
