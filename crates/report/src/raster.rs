//! Figures as pictures, for papers and slides: PNG through resvg, PDF through krilla.
//!
//! Fonts are this computer's own. Where there is none, an error says so; a picture with boxes for letters helps nobody.
//! Where only some letters have none (Devanagari, Chinese), the picture is made and [`Pictures::boxes`] names them.

use std::collections::BTreeSet;
use std::sync::Arc;

use resvg::{tiny_skia, usvg};

use crate::ReportError;
use crate::figures::Figure;

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
        let mut fonts = usvg::fontdb::Database::new();
        fonts.load_system_fonts();
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

    /// Letters of a figure that no font of this computer has: in a picture they are boxes.
    pub fn boxes(&self, figure: &Figure) -> Result<BTreeSet<char>, ReportError> {
        let tree = self.tree(figure).map_err(|error| ReportError::Picture {
            figure: figure.name,
            format: "PNG",
            detail: error.to_string(),
        })?;
        let mut boxes = BTreeSet::new();
        gather(tree.root(), &mut boxes);
        Ok(boxes)
    }

    fn tree(&self, figure: &Figure) -> Result<usvg::Tree, usvg::Error> {
        usvg::Tree::from_str(&figure.svg.standalone(figure.title, &figure.alt), &self.options)
    }
}

/// Glyph 0 of every font is the one for letters that it has not.
fn gather(group: &usvg::Group, boxes: &mut BTreeSet<char>) {
    for node in group.children() {
        match node {
            usvg::Node::Group(group) => gather(group, boxes),
            usvg::Node::Text(text) => {
                let glyphs = text.layouted().iter().flat_map(|span| &span.positioned_glyphs);
                for glyph in glyphs.filter(|glyph| glyph.id.0 == 0) {
                    boxes.extend(glyph.text.chars().filter(|letter| !letter.is_whitespace()));
                }
            }
            usvg::Node::Path(_) | usvg::Node::Image(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::{Anchor, Svg};
    use crate::{Column, Table};

    #[test]
    fn letters_without_a_glyph_are_named() {
        let mut svg = Svg::new(100.0, 20.0);
        // The last letter of the private plane belongs to no font.
        svg.text("label", (4.0, 14.0), Anchor::Start, "a\u{10fffd} b");
        let columns: Vec<Column> = Vec::new();
        let table = Table { name: "x", caption: String::new(), columns, rows: Vec::new() };
        let figure = Figure { name: "x", title: "x", reading: String::new(), alt: String::new(), svg, table };
        let boxes = Pictures::new().unwrap().boxes(&figure).unwrap();
        assert_eq!(boxes.into_iter().collect::<Vec<_>>(), ['\u{10fffd}']);
    }
}
