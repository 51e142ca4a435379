//! A made-up run: results, spec and rows by hand, the same every time. No number in it was measured.

// Each test file uses its own part.
#![allow(dead_code, clippy::unwrap_used)]

use std::f64::consts::E;

use stereometer_core::{
    Average, Estimate, Form, Gender, Interval, Language, Method, Outcome, Rule, Seed, StereotypeId,
    TemplateChoice, Unscorable, Verdict, Warning,
};
use stereometer_record::{
    FORMAT_VERSION, Identity, ItemRecord, LanguageFit, LanguageResult, ModelIdentity, OverallStereotype,
    Results, RuleRow, RunSpec, ScoredText, ScoredVariants, SetFile, SetIdentity, SourceCounts,
    StereotypeResult, TemplateRow, Test, TokenCountCheck, UnscoredRow,
};

pub const NAMES: [(&str, &str); 30] = [
    ("bg", "Bulgarian"),
    ("ca", "Catalan"),
    ("cs", "Czech"),
    ("da", "Danish"),
    ("de", "German"),
    ("el", "Greek"),
    ("en", "English"),
    ("es", "Spanish"),
    ("et", "Estonian"),
    ("fi", "Finnish"),
    ("fr", "French"),
    ("ga", "Irish"),
    ("gl", "Galician"),
    ("hr", "Croatian"),
    ("hu", "Hungarian"),
    ("it", "Italian"),
    ("lt", "Lithuanian"),
    ("lv", "Latvian"),
    ("mt", "Maltese"),
    ("nl", "Dutch"),
    ("no", "Norwegian"),
    ("pl", "Polish"),
    ("pt", "Portuguese"),
    ("ro", "Romanian"),
    ("ru", "Russian"),
    ("sk", "Slovak"),
    ("sl", "Slovenian"),
    ("sv", "Swedish"),
    ("tr", "Turkish"),
    ("uk", "Ukrainian"),
];

/// Numbers between −1 and 1 that look random and are the same every time.
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / f64::from(1_u32 << 31) * 2.0 - 1.0
    }
}

pub fn tag(text: &str) -> Language {
    text.parse().unwrap()
}

pub fn estimate(value: f64, half: f64, n: usize) -> Estimate {
    Estimate {
        value,
        n,
        std_error: Some(half / 1.96),
        percentile: Some(Interval { low: value - half, high: value + half }),
        bca: Some(Interval { low: value - half * 0.9, high: value + half * 1.1 }),
        freedom: Some(n as f64 - 1.0),
    }
}

pub mod about;
pub mod comparison;
pub mod html;
pub mod leakage;

/// Results for the first `n` languages.
pub fn results(n: usize) -> Results {
    results_from(n, 7)
}

/// Other results for the same languages.
pub fn results_from(n: usize, seed: u64) -> Results {
    let mut noise = Noise::new(seed);
    let languages: Vec<LanguageResult> = NAMES[..n]
        .iter()
        .enumerate()
        .map(|(place, (tag, name))| language(tag, name, place, &mut noise))
        .collect();
    let g_s: Vec<f64> = languages.iter().filter_map(|one| Some(one.g_s.as_ref()?.value)).collect();
    let mean = g_s.iter().sum::<f64>() / g_s.len().max(1) as f64;
    let few =
        |tag: &str| Warning::FewItems { language: self::tag(tag), stereotypes: vec![id(3)], min_items: 10 };
    Results {
        format_version: FORMAT_VERSION,
        method: Method::Likelihood,
        rule: Rule::Mean,
        average: Average::Geometric,
        seed: Seed::default(),
        resamples: 2000,
        level: 0.95,
        min_items: 10,
        mean_g_s: (!g_s.is_empty()).then(|| estimate(mean, 0.012, 240)),
        stereotypes: overall(&languages),
        languages,
        unscored: NAMES[..n.min(2)].iter().map(|(tag, _)| unscored(tag)).collect(),
        warnings: NAMES[..n].iter().map(|(tag, _)| few(tag)).collect(),
    }
}

/// Each stereotype over these languages; again after a change of them.
pub fn overall(languages: &[LanguageResult]) -> Vec<OverallStereotype> {
    let inclination = |one: &LanguageResult, id| {
        one.stereotypes.iter().find(|cell| cell.stereotype == id).and_then(|cell| cell.inclination.clone())
    };
    let one = |id: StereotypeId| {
        let found: Vec<Estimate> = languages.iter().filter_map(|one| inclination(one, id)).collect();
        let missing = languages.iter().filter(|one| inclination(one, id).is_none());
        let mean = found.iter().map(|one| one.value).sum::<f64>() / found.len().max(1) as f64;
        let count = |wanted| found.iter().filter(|one| Verdict::of(one, 0.0) == wanted).count();
        let n = found.iter().map(|one| one.n).max().unwrap_or(0);
        OverallStereotype {
            stereotype: id,
            languages: found.len(),
            missing: missing.map(|one| one.language.clone()).collect(),
            inclination: match found.as_slice() {
                [only] => Some(only.clone()),
                _ => Some(estimate(mean, 0.005, n)),
            },
            towards: count(Verdict::Above),
            against: count(Verdict::Below),
        }
    };
    StereotypeId::all().map(one).filter(|one| one.languages > 0).collect()
}

/// A p value that falls with the distance, in numbers of half intervals; made up like all the rest.
fn test(estimate: &Estimate, neutral: f64, half: f64, family: f64) -> Test {
    let p = (-2.0 * ((estimate.value - neutral) / half).powi(2)).exp();
    Test { p, holm: (p * family).min(1.0), bh: (p * family.sqrt()).min(1.0) }
}

fn id(number: u16) -> StereotypeId {
    number.try_into().unwrap()
}

fn language(tag: &str, name: &str, place: usize, noise: &mut Noise) -> LanguageResult {
    let level = 0.51 + 0.03 * noise.next();
    let strength = 0.012 + 0.016 * noise.next();
    let q: Vec<f64> = StereotypeId::all()
        .map(|id| {
            let side = if id.info().about == Gender::Feminine { -1.0 } else { 1.0 };
            let own = 1.0 + 0.5 * f64::from(id.get() % 5) / 4.0;
            (level + side * strength * own + 0.006 * noise.next()).clamp(0.01, 0.99)
        })
        .collect();
    let mean = |values: &[f64]| E.powf(values.iter().map(|q| q.ln()).sum::<f64>() / values.len() as f64);
    let d = q[..14].iter().sum::<f64>() / 14.0;
    let (f, m) = (mean(&q[..7]), mean(&q[7..]));
    let half = 0.018 + 0.012 * noise.next();
    let stereotypes = StereotypeId::all()
        .filter(|id| !(place == 2 && id.get() == 15))
        .map(|id| {
            let own = q[id.index()];
            let rank = 1 + q.iter().filter(|other| **other > own).count();
            let side = if id.info().about == Gender::Feminine { d - own } else { own - d };
            let n = if id.get() == 3 { 6 } else { 16 };
            let inclination = estimate(side, 0.009, n);
            StereotypeResult {
                stereotype: id,
                n,
                few: n < 10,
                q: estimate(own, 0.01, n),
                rank: rank_estimate(rank as f64, n),
                inclination_test: Some(test(&inclination, 0.0, 0.009, 480.0)),
                inclination: Some(inclination),
            }
        })
        .collect();
    let g_s = m / f;
    let n_neutral = if place.is_multiple_of(2) { 206 } else { 246 };
    LanguageResult {
        language: self::tag(tag),
        name: name.to_owned(),
        n_items: 246,
        n_gendered: if place.is_multiple_of(2) { 40 } else { 0 },
        n_pronoun: if has_noun(place) { 0 } else { n_neutral },
        n_noun: if has_noun(place) { n_neutral } else { 0 },
        n_sources: 240 - 3 * place,
        default_masculine_rate: Some(estimate(d, 0.006, 210)),
        q_feminine: Some(estimate(f, 0.007, 105)),
        q_masculine: Some(estimate(m, 0.007, 135)),
        g_s: Some(estimate(g_s, half, 240)),
        g_s_test: Some(test(&estimate(g_s, half, 240), 1.0, half, 30.0)),
        g_s_arithmetic: Some(estimate(g_s + 0.001, half, 240)),
        sources: SourceCounts {
            gendered: if place.is_multiple_of(2) { 40 } else { 0 },
            neutral: if place.is_multiple_of(2) { 200 } else { 240 } - 3 * place,
            unscored: 2,
            absent: 3 * place,
        },
        stereotypes,
        by_rule: Rule::ALL
            .into_iter()
            .enumerate()
            .map(|(place, rule)| rule_row(place, rule, [g_s, d, half]))
            .collect(),
        by_form: by_form(place, [g_s, d, f, m, half]),
        token_counts: Some(TokenCountCheck {
            correlation: Some(-0.2 * noise.next()).filter(|_| !place.is_multiple_of(4)),
            n_equal: if place.is_multiple_of(4) { 246 } else { 120 },
            g_s_equal: Some(if place.is_multiple_of(4) {
                estimate(g_s, half, 240)
            } else {
                estimate(g_s * 0.99, half * 1.4, 120)
            }),
        }),
        fit: Some(LanguageFit { nats_per_character: 1.1 + 0.4 * noise.next(), characters_per_token: 3.5 }),
    }
}

/// Every fifth language has no pronouns that tell the genders apart.
fn has_noun(place: usize) -> bool {
    place % 5 == 3
}

/// Every second language marks the gender in the sentence itself.
fn by_form(place: usize, [g_s, d, f, m, half]: [f64; 5]) -> Vec<TemplateRow> {
    let row = |form, n, [g_s, f, m]: [f64; 3], half| TemplateRow {
        form,
        n,
        g_s: Some(estimate(g_s, half, n)),
        default_masculine_rate: Some(estimate(d, half * 0.4, n)),
        q_feminine: Some(estimate(f, half * 0.5, n / 2)),
        q_masculine: Some(estimate(m, half * 0.5, n - n / 2)),
    };
    let neutral = if has_noun(place) { Form::Noun } else { Form::Pronoun };
    if place.is_multiple_of(2) {
        let gendered = [g_s.powf(1.5), f * 0.98, m * 1.02];
        vec![row(Form::Gendered, 40, gendered, half * 1.2), row(neutral, 206, [g_s, f, m], half)]
    } else {
        vec![row(neutral, 246, [g_s, f, m], half)]
    }
}

fn rank_estimate(rank: f64, n: usize) -> Estimate {
    let within = |place: f64| place.clamp(1.0, 16.0);
    let percentile = Some(Interval { low: within(rank - 2.0), high: within(rank + 2.0) });
    Estimate { percentile, bca: None, ..estimate(rank, 2.0, n) }
}

fn rule_row(place: usize, rule: Rule, [g_s, d, half]: [f64; 3]) -> RuleRow {
    let power = [1.0, 14.0, 0.4, 3.0, 2.2, 6.0][place];
    let half = half * [1.0, 15.0, 0.3, 4.0, 2.0, 8.0][place];
    RuleRow {
        rule,
        n: 246,
        g_s: Some(estimate(g_s.powf(power), half, 240)),
        default_masculine_rate: Some(estimate(d, 0.01, 210)),
    }
}

fn unscored(tag: &str) -> UnscoredRow {
    UnscoredRow {
        language: self::tag(tag),
        reason: "equal-texts".to_owned(),
        words: Unscorable::EqualTexts.to_string(),
        count: 2,
        examples: vec![format!("{tag}/7-3/pronoun"), format!("{tag}/7-4/pronoun")],
    }
}

pub fn spec(results: &Results) -> RunSpec {
    RunSpec {
        format_version: FORMAT_VERSION,
        tool_version: "0.1.0".to_owned(),
        started: "2026-01-02T03:04:05Z".to_owned(),
        command: ["stereometer", "audit", "--quick"].map(str::to_owned).to_vec(),
        identity: Identity {
            model: ModelIdentity {
                name: "made-up-270m".to_owned(),
                architecture: "gemma3_text".to_owned(),
                parameters: 268_098_176,
                weights_sha256: "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818".to_owned(),
                tokenizer_sha256: "0b1fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a681"
                    .to_owned(),
                prefix_ids: vec![2],
                chat: None,
                stored_dtype: "Q4_K".to_owned(),
                compute_dtype: "f32".to_owned(),
                context_length: 32_768,
                backend: "engine".to_owned(),
                origin: "a file or folder of the user".to_owned(),
                licence: Some("Gemma terms of use".to_owned()),
            },
            set: SetIdentity {
                name: "mini".to_owned(),
                version: Some("1".to_owned()),
                origin: "a made-up run: no number in this report was measured".to_owned(),
                licence: Some("CC0-1.0".to_owned()),
                files: vec![SetFile { name: "items.de.csv".to_owned(), sha256: "00ff".repeat(16) }],
            },
            languages: results.languages.iter().map(|one| one.language.clone()).collect(),
            template: TemplateChoice::Auto,
            subset: Some("the first two sentences of each stereotype in each language".to_owned()),
            items_sha256: "c0ffee".repeat(10) + "abcd",
            method: results.method,
        },
        threads: 2,
        batch_tokens: 2048,
        rule: Rule::Mean,
        average: Average::Geometric,
        seed: Seed::default(),
        resamples: 2000,
        min_items: 10,
        n_items: results.languages.iter().map(|one| one.n_items).sum::<usize>() + 4,
        warnings: Vec::new(),
    }
}

/// Four scored pairs a language, with texts that try to become markup.
pub fn items(results: &Results) -> Vec<ItemRecord> {
    let mut noise = Noise::new(11);
    let texts = [
        ["„Ich weine oft,“ sagte er", "„Ich weine oft,“ sagte sie"],
        ["«Είμαι δυνατός <script>alert(1)</script>» & co.", "«Είμαι δυνατή <script>alert(1)</script>» & co."],
        ["Я сильний", "Я сильна"],
        ["Sunt puternic", "Sunt puternică"],
    ];
    let languages = results.languages.iter();
    let pairs =
        languages.flat_map(|one| texts.iter().enumerate().map(move |(place, texts)| (one, place, texts)));
    pairs
        .map(|(one, place, texts)| {
            let scored = |shift: f64| ScoredText {
                token_ids: vec![2, 5, if shift > 0.0 { 6 } else { 7 }],
                tokens: ["<bos>", "▁Ich", "▁er"].map(str::to_owned).to_vec(),
                logprobs: vec![None, Some(-3.0), Some((-2.0 + shift) as f32)],
            };
            let shift = noise.next().abs() + 0.01;
            let source = format!("{}-{place}", place + 1);
            ItemRecord {
                key: format!("{}{place}", one.language),
                id: format!("{}/{source}/gendered", one.language),
                language: one.language.clone(),
                source,
                stereotype: id(place as u16 + 1),
                form: Form::Gendered,
                texts: texts.map(str::to_owned),
                outcome: Outcome::Scored(ScoredVariants {
                    masculine: scored(shift),
                    feminine: scored(-shift),
                }),
            }
        })
        .collect()
}
