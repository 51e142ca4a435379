//! Figures as pictures, for papers and slides: PNG through resvg, PDF through krilla.
//!
//! Fonts are this computer's own. Where there is none, an error says so; a picture with boxes for letters helps nobody.
//! Where only some letters have none (Devanagari, Chinese), the picture is made and [`Flaws`] names them.

use std::collections::BTreeSet;
use std::sync::Arc;

use resvg::usvg::fontdb::{Database, FaceInfo, Stretch, Style, Weight};
use resvg::{tiny_skia, usvg};

use crate::ReportError;
use crate::figures::Figure;
use crate::letters::is_beside;

/// Pixels of a PNG for each nominal pixel.
const SCALE: f32 = 2.0;

/// Families that have Latin, Greek and Cyrillic, in order of preference, for the generic “sans-serif”.
const SANS_SERIF: [&str; 7] =
    ["Noto Sans", "DejaVu Sans", "Liberation Sans", "Arial", "Helvetica", "Segoe UI", "Roboto"];

/// This computer's fonts, loaded once.
pub struct Pictures {
    options: usvg::Options<'static>,
}

impl Pictures {
    /// Loads the fonts.
    pub fn new() -> Result<Self, ReportError> {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        let mut fonts = in_order(&fonts);
        let has = |family: &str| {
            fonts.faces().any(|face| face.families.iter().any(|(name, _)| name.eq_ignore_ascii_case(family)))
        };
        let family = SANS_SERIF
            .into_iter()
            .find(|family| has(family))
            .map(str::to_owned)
            .or_else(|| fonts.faces().next()?.families.first().map(|(name, _)| name.clone()))
            .ok_or(ReportError::NoFont)?;
        fonts.set_sans_serif_family(&family);
        fonts.set_serif_family(&family);
        let options =
            usvg::Options { font_family: family, fontdb: Arc::new(fonts), ..usvg::Options::default() };
        Ok(Self { options })
    }

    /// A figure as PNG.
    pub fn png(&self, figure: &Figure) -> Result<Vec<u8>, ReportError> {
        let failed = |detail: String| ReportError::Picture { figure: figure.name, format: "PNG", detail };
        let tree = self.tree(figure).map_err(|error| failed(error.to_string()))?;
        let size =
            tree.size().to_int_size().scale_by(SCALE).ok_or_else(|| failed("it is too large".to_owned()))?;
        let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height())
            .ok_or_else(|| failed("it is too large".to_owned()))?;
        resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| failed(error.to_string()))
    }

    /// A figure as a PDF of one page.
    pub fn pdf(&self, figure: &Figure) -> Result<Vec<u8>, ReportError> {
        use krilla_svg::SurfaceExt as _;
        let failed = |detail: &str| ReportError::Picture {
            figure: figure.name,
            format: "PDF",
            detail: detail.to_owned(),
        };
        let tree = self.tree(figure).map_err(|error| failed(&error.to_string()))?;
        let (width, height) = (tree.size().width(), tree.size().height());
        let size = krilla::geom::Size::from_wh(width, height).ok_or_else(|| failed("it has no size"))?;
        let settings =
            krilla::page::PageSettings::from_wh(width, height).ok_or_else(|| failed("it has no size"))?;
        let mut document = krilla::Document::new();
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        surface
            .draw_svg(&tree, size, krilla_svg::SvgSettings::default())
            .ok_or_else(|| failed("the drawing was refused"))?;
        surface.finish();
        page.finish();
        document.finish().map_err(|error| failed(&format!("{error:?}")))
    }

    /// Notes what a picture of this figure shows wrongly.
    pub fn note(&self, figure: &Figure, flaws: &mut Flaws) -> Result<(), ReportError> {
        let tree = self.tree(figure).map_err(|error| ReportError::Picture {
            figure: figure.name,
            format: "PNG",
            detail: error.to_string(),
        })?;
        gather(tree.root(), flaws);
        Ok(())
    }

    fn tree(&self, figure: &Figure) -> Result<usvg::Tree, usvg::Error> {
        usvg::Tree::from_str(&figure.svg.standalone(figure.title, &figure.alt), &self.options)
    }
}

/// The fonts in the order in which they are tried for a letter that the first has not: upright, regular, without serifs. As they
/// come, a minus sign may be a bold italic one.
fn in_order(fonts: &Database) -> Database {
    let rank = |face: &FaceInfo| {
        let name = face.families.first().map_or("", |(name, _)| name.as_str());
        (
            face.style != Style::Normal,
            face.stretch != Stretch::Normal,
            face.weight.0.abs_diff(Weight::NORMAL.0),
            !name.contains("Sans") || name.contains("Mono"),
            // Of fonts that share the Chinese characters, those with the forms of mainland China.
            !name.ends_with(" SC"),
        )
    };
    let mut faces: Vec<&FaceInfo> = fonts.faces().collect();
    faces.sort_by_key(|face| rank(face));
    let mut ordered = Database::new();
    for face in faces {
        ordered.push_face_info(face.clone());
    }
    ordered
}

/// What PNG and PDF show wrongly; the page and the SVG files do not, for the reader's browser shapes them with its own fonts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Flaws {
    /// Letters that no font of this computer has: boxes.
    pub boxes: BTreeSet<char>,
    /// Vowel signs that stand beside their letter, which usvg 0.47 sets on top of it (mended in later releases: resvg, pull request
    /// 1043).
    pub crowded: BTreeSet<char>,
}

impl Flaws {
    /// In words, each with what to do.
    pub fn sentences(&self) -> Vec<(String, &'static str)> {
        let list =
            |letters: &BTreeSet<char>| letters.iter().map(char::to_string).collect::<Vec<_>>().join(" ");
        let boxes = (!self.boxes.is_empty()).then(|| {
            (
                format!("PNG and PDF figures show boxes: no font on this computer has {}", list(&self.boxes)),
                "install fonts for these scripts, such as fonts-noto-core and fonts-noto-cjk, or use the SVG files in a browser",
            )
        });
        let crowded = (!self.crowded.is_empty()).then(|| {
            let signs: Vec<String> = self.crowded.iter().map(|sign| format!("◌{sign}")).collect();
            (
                format!(
                    "PNG and PDF figures set these vowel signs too near to their letters: {}",
                    signs.join(" ")
                ),
                "use the SVG files, or print the page from a browser",
            )
        });
        boxes.into_iter().chain(crowded).collect()
    }
}

/// Glyph 0 of every font is the one for letters that it has not.
fn gather(group: &usvg::Group, flaws: &mut Flaws) {
    for node in group.children() {
        match node {
            usvg::Node::Group(group) => gather(group, flaws),
            usvg::Node::Text(text) => {
                let letters = text.chunks().iter().flat_map(|chunk| chunk.text().chars());
                flaws.crowded.extend(letters.filter(|letter| is_beside(*letter)));
                let glyphs = text.layouted().iter().flat_map(|span| &span.positioned_glyphs);
                for glyph in glyphs.filter(|glyph| glyph.id.0 == 0) {
                    flaws.boxes.extend(glyph.text.chars().filter(|letter| !letter.is_whitespace()));
                }
            }
            usvg::Node::Path(_) | usvg::Node::Image(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Table;
    use crate::svg::{Anchor, Svg};

    #[test]
    fn what_a_picture_shows_wrongly_is_named() {
        let mut svg = Svg::new(100.0, 20.0);
        // The last letter of the private plane belongs to no font.
        svg.text("label", (4.0, 14.0), Anchor::Start, "a\u{10fffd} b");
        svg.text("label", (4.0, 14.0), Anchor::Start, "मी");
        let table = Table { name: "x", caption: String::new(), columns: Vec::new(), rows: Vec::new() };
        let figure = Figure { name: "x", title: "x", reading: String::new(), alt: String::new(), svg, table };
        let mut flaws = Flaws::default();
        Pictures::new().unwrap().note(&figure, &mut flaws).unwrap();
        assert!(flaws.boxes.contains(&'\u{10fffd}') && !flaws.boxes.contains(&'a'), "{flaws:?}");
        assert_eq!(flaws.crowded.iter().copied().collect::<String>(), "ी");
        assert_eq!(flaws.sentences().len(), 2);
        assert!(Flaws::default().sentences().is_empty());
    }
}
