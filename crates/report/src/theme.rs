//! Colours, once: for the page (light and dark) and for figures on their own (light).
//!
//! Feminine is purple and masculine orange: far apart for colour-blind eyes, and free of the pink-and-blue
//! convention. The heat map runs from one to the other (after ColorBrewer's PuOr).

use std::fmt::Write as _;

struct Colour {
    name: &'static str,
    light: &'static str,
    dark: &'static str,
}

const fn colour(name: &'static str, light: &'static str, dark: &'static str) -> Colour {
    Colour { name, light, dark }
}

const PALETTE: [Colour; 19] = [
    colour("paper", "#ffffff", "#14171b"),
    colour("panel", "#f4f5f7", "#1d2127"),
    colour("ink", "#1b1f24", "#e6e9ec"),
    colour("soft", "#57606a", "#a5afb9"),
    colour("line", "#d4d9df", "#3a424b"),
    colour("strong", "#0b666e", "#62c7cd"),
    colour("against", "#8a2f5f", "#eb95c0"),
    colour("feminine", "#6a4fb3", "#b9a6f7"),
    colour("masculine", "#b04e06", "#f3a45a"),
    colour("notice", "#fff3d1", "#3a2f10"),
    colour("notice-line", "#b97f00", "#d9a521"),
    colour("above", "#cfe8e9", "#174348"),
    colour("below", "#f1d6e3", "#4d2238"),
    colour("open", "#f4f5f7", "#1d2127"),
    colour("unknown", "#ffffff", "#14171b"),
    colour("run0", "#1b1f24", "#e6e9ec"),
    colour("run1", "#1f62b0", "#7fb2f0"),
    colour("run2", "#8a6100", "#e0b84c"),
    colour("run3", "#2d7534", "#74c787"),
];

/// Heat map steps from the masculine to the feminine end: light and dark scheme.
const HEAT: [[&str; 2]; 9] = [
    ["#b35806", "#f0922f"],
    ["#e08214", "#bd6c17"],
    ["#fdb863", "#85511b"],
    ["#fee0b6", "#533c25"],
    ["#f3f3f4", "#2b3036"],
    ["#d8daeb", "#3c3a55"],
    ["#b2abd2", "#55498a"],
    ["#7565a8", "#8876c9"],
    ["#542788", "#b8a8f2"],
];

/// Number of steps of the heat map.
pub const HEAT_STEPS: usize = HEAT.len();

/// The style sheet of figures, with variables.
pub const FIGURE_CSS: &str = include_str!("../assets/figure.css");
const PAGE_CSS: &str = include_str!("../assets/page.css");

/// The page's style sheet, without that of its figures.
pub fn page_css() -> String {
    let (light, dark) = (variables(0), variables(1));
    format!(
        ":root{{color-scheme:light dark;{light}}}\n\
         @media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n{PAGE_CSS}"
    )
}

/// The style sheet of a figure on its own, without variables: renderers other than browsers do not know them.
pub fn figure_css() -> String {
    let mut css = FIGURE_CSS.to_owned();
    for (name, value) in values(0) {
        css = css.replace(&format!("var(--{name})"), &value);
    }
    css
}

fn variables(scheme: usize) -> String {
    let mut css = String::new();
    for (name, value) in values(scheme) {
        let _ = write!(css, "--{name}:{value};");
    }
    css
}

fn values(scheme: usize) -> Vec<(String, String)> {
    let plain = PALETTE.iter().map(|colour| {
        (colour.name.to_owned(), if scheme == 0 { colour.light } else { colour.dark }.to_owned())
    });
    let heat = HEAT.iter().enumerate().flat_map(|(step, pair)| {
        let background = pair[scheme];
        [
            (format!("heat{step}"), background.to_owned()),
            (format!("heat{step}-ink"), ink_on(background).to_owned()),
        ]
    });
    plain.chain(heat).collect()
}

/// Black or white, whichever stands out more.
fn ink_on(background: &str) -> &'static str {
    let (black, white) = ("#101214", "#ffffff");
    if contrast(black, background) >= contrast(white, background) { black } else { white }
}

/// Contrast ratio of WCAG 2.
fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn luminance(hex: &str) -> f64 {
    let channel = |place: usize| {
        let value = hex.get(place..place + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()).unwrap_or(0);
        let share = f64::from(value) / 255.0;
        if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WCAG AA for text: 4.5 to 1.
    #[test]
    fn every_text_stands_out_in_both_schemes() {
        for scheme in [0, 1] {
            let values = values(scheme);
            let of = |name: &str| values.iter().find(|(known, _)| known == name).unwrap().1.clone();
            for step in 0..HEAT_STEPS {
                let ratio = contrast(&of(&format!("heat{step}-ink")), &of(&format!("heat{step}")));
                assert!(ratio >= 4.5, "heat step {step}, scheme {scheme}: {ratio:.2}");
            }
            let texts = ["ink", "soft", "strong", "against", "feminine", "masculine", "run1", "run2", "run3"];
            for text in texts {
                let ratio = contrast(&of(text), &of("paper"));
                assert!(ratio >= 4.5, "{text}, scheme {scheme}: {ratio:.2}");
            }
            for tint in ["strong", "against"] {
                let ratio = contrast(&of("ink"), &mixed(&of(tint), &of("paper"), 0.32));
                assert!(ratio >= 4.5, "ink on the darkest {tint} tint, scheme {scheme}: {ratio:.2}");
            }
            for cell in ["above", "below", "open", "unknown", "notice", "panel"] {
                let ratio = contrast(&of("ink"), &of(cell));
                assert!(ratio >= 4.5, "ink on {cell}, scheme {scheme}: {ratio:.2}");
            }
        }
    }

    /// A colour of this opacity on another.
    fn mixed(over: &str, under: &str, opacity: f64) -> String {
        let channel =
            |hex: &str, place: usize| f64::from(u8::from_str_radix(&hex[place..place + 2], 16).unwrap());
        let mix = |place| channel(over, place) * opacity + channel(under, place) * (1.0 - opacity);
        format!("#{:02x}{:02x}{:02x}", mix(1) as u8, mix(3) as u8, mix(5) as u8)
    }

    #[test]
    fn a_figure_on_its_own_has_no_variable_left() {
        assert!(!figure_css().contains("var("), "{}", figure_css());
    }
}
