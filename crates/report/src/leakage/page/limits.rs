//! What the numbers do not show.

use stereometer_core::AssociationMethod;

use crate::html::{escape, with_code};
use crate::leakage::study::Study;

const LIMITS: [(&str, &str); 8] = [
    (
        "Going together is not where it came from.",
        "A coefficient says that the language model's associations in one language go with what people of another say, the \
         others held. A stereotype that two languages share for another reason, or that a third language not asked about \
         holds, looks the same. Nothing here traces a training text.",
    ),
    (
        "No effect found is not no leak.",
        "A wide interval leaves room for one. The intervals say how large it may still be.",
    ),
    (
        "Correlated people.",
        "Where people of two languages judge alike, the regression can hardly tell whose judgement the language model repeats, and \
         coefficients become uncertain or change sign. See how alike people judge.",
    ),
    (
        "Few people, and not all.",
        "The survey asked some dozens of people in each language, who had internet and time. They do not speak for everyone who \
         speaks it, and a language is not a culture.",
    ),
    (
        "Missing is not random.",
        "A group is rated by those who know it, so cells of groups at home elsewhere are missing more often. Leaving them \
         out and counting them as 0 are both wrong in their own way, which is why both are shown.",
    ),
    (
        "Translated words.",
        "A trait's nearest word in another language need not mean the same, and forms and templates differ between languages.",
    ),
    (
        "Associations, not behaviour.",
        "The numbers say which word the language model finds likelier in a sentence about a group. What it writes, and what harm \
         follows, is another question.",
    ),
    (
        "Groups and traits chosen beforehand.",
        "The ABC traits and the groups were chosen by researchers. What matters to people of a group may not be among them.",
    ),
];

/// The section.
pub fn limits(study: &Study<'_>) -> String {
    let methods = AssociationMethod::ALL
        .into_iter()
        .filter(|method| study.results.runs.iter().any(|run| run.method == *method));
    let methods: String = methods
        .map(|method| {
            format!("<li><b>The method <code>{method}</code>.</b> {}</li>\n", with_code(limit(method)))
        })
        .collect();
    let limits: String = LIMITS
        .iter()
        .map(|(what, why)| format!("<li><b>{}</b> {}</li>\n", escape(what), escape(why)))
        .collect();
    format!(
        "<section id=\"limits\">\n<h2>What the numbers do not show</h2>\n<ul>\n{limits}{methods}</ul>\n</section>\n"
    )
}

fn limit(method: AssociationMethod) -> &'static str {
    match method {
        AssociationMethod::Ilps => {
            "It asks how much likelier a trait becomes by naming the group. With the sentinels in the mean \
             (`released-code`), long traits move less."
        }
        AssociationMethod::Set => {
            "It measures how far the output layer must move for a trait to win, which has no value where that is a step of 1 or more: \
             unlikely traits go missing first."
        }
        AssociationMethod::Pll => {
            "Pieces of one word are scored one by one, so a trait cut into many pieces stands on other ground than one of a single piece."
        }
        AssociationMethod::Continuation => {
            "Only what stands before the trait is seen, so templates in which it comes early say less."
        }
        AssociationMethod::Choice => {
            "The answer to a prompt hangs on the prompt's wording and on the order of the two poles; both orders are asked."
        }
    }
}
