//! One map: a group in the ABC space, with its names, its axes and the marks of people and of a language model.

use stereometer_core::{Dimension, Estimate, Language, Slug};
use stereometer_record::{AbcPosition, Judge};

use crate::leakage::study::Study;
use crate::letters::{cut, letters};
use crate::scale::Scale;
use crate::svg::{Anchor, Mark, Svg};
use crate::words::Kind;

/// Colours and with them line styles; more languages share them and are told apart by their tags.
pub const COLOURS: usize = 4;

/// Sizes of a map.
#[derive(Clone, Copy)]
pub struct Size {
    /// Side of the square.
    pub side: f64,
    /// Room left of it.
    left: f64,
    /// Width of the strip of beliefs, with its room.
    strip: f64,
    /// Between two maps.
    gap: f64,
    /// Room above.
    top: f64,
    /// Room below.
    bottom: f64,
    radius: f64,
    is_large: bool,
}

pub const LARGE: Size = Size {
    side: 190.0,
    left: 34.0,
    strip: 54.0,
    gap: 14.0,
    top: 60.0,
    bottom: 46.0,
    radius: 5.0,
    is_large: true,
};
pub const SMALL: Size = Size {
    side: 120.0,
    left: 10.0,
    strip: 34.0,
    gap: 26.0,
    top: 36.0,
    bottom: 14.0,
    radius: 3.4,
    is_large: false,
};

impl Size {
    /// With the room around it.
    pub fn width(self) -> f64 {
        self.left + self.side + self.strip + self.gap
    }

    /// With the room around it.
    pub fn height(self) -> f64 {
        self.top + self.side + self.bottom
    }
}

/// A group on a map.
pub struct Map<'a, 'b> {
    /// The results.
    pub study: &'b Study<'a>,
    /// The group.
    pub group: &'b Slug,
    /// The run beside people, if any.
    pub run: Option<usize>,
    /// Large or small.
    pub size: Size,
    /// From 0 to the side of the map.
    pub scale: &'b Scale,
}

/// Where the marks of one judge and language are.
struct Placed {
    at: Option<(f64, f64)>,
    beliefs: Option<(f64, f64)>,
}

impl Map<'_, '_> {
    /// Draws it; the corner is the upper left one, of the room above.
    pub fn draw(&self, svg: &mut Svg, (x, y): (f64, f64)) {
        let Size { side, left, strip, top, is_large, .. } = self.size;
        self.title(svg, (x + left, y));
        let corner = (x + left, y + top);
        svg.rect("band", corner, (side, side));
        let strip_x = corner.0 + side + if is_large { 18.0 } else { 8.0 };
        let strip_wide = strip - if is_large { 24.0 } else { 12.0 };
        svg.rect("band", (strip_x, corner.1), (strip_wide, side));
        self.axes(svg, corner, (strip_x, strip_wide));
        let languages = self.study.languages();
        let mut placed = Vec::new();
        for (at, language) in languages.iter().enumerate() {
            let slot = (at as f64 + 0.5) / languages.len() as f64;
            let strip_at = strip_x + strip_wide * slot;
            placed.push([
                self.place(&Judge::People, language, corner, strip_at),
                self.run.map_or(Placed { at: None, beliefs: None }, |run| {
                    self.place(&Judge::Run(run), language, corner, strip_at)
                }),
            ]);
        }
        if is_large {
            for (at, language) in languages.iter().enumerate() {
                self.crosses(svg, language, corner, at % COLOURS);
            }
        }
        for (at, [people, model]) in placed.iter().enumerate() {
            let class = format!("run{}-whisker", at % COLOURS);
            for (a, b) in [(people.at, model.at), (people.beliefs, model.beliefs)] {
                if let (Some(a), Some(b)) = (a, b) {
                    svg.line(&class, a, b);
                }
            }
        }
        let mut taken: Vec<(f64, f64)> = placed.iter().flatten().filter_map(|one| one.at).collect();
        for (at, ([people, model], language)) in placed.iter().zip(&languages).enumerate() {
            let colour = at % COLOURS;
            for (one, mark, class, judge) in [
                (model, Mark::Diamond, format!("run{colour}-open"), self.run.map(Judge::Run)),
                (people, Mark::Circle, format!("run{colour}-mark"), Some(Judge::People)),
            ] {
                let Some(judge) = judge else { continue };
                svg.open("dot", &self.said(&judge, language));
                for at in [one.at, one.beliefs].into_iter().flatten() {
                    svg.mark(
                        mark,
                        &class,
                        at,
                        self.size.radius * if mark == Mark::Diamond { 0.85 } else { 1.0 },
                    );
                }
                svg.close();
            }
            if let Some(from) = people.at.or(model.at) {
                let label = free_place(&taken, from, self.size, corner);
                taken.push((label.0 + 6.0, label.1 - 4.0));
                svg.text("flow-number", label, Anchor::Start, language.as_str());
            }
        }
        if placed.iter().flatten().all(|one| one.at.is_none()) {
            svg.hatch("hatch", corner, (side, side), 14.0);
            let middle = (corner.0 + side / 2.0, corner.1 + side / 2.0);
            svg.text("flow-number", middle, Anchor::Middle, "no place");
        }
    }

    fn title(&self, svg: &mut Svg, (x, y): (f64, f64)) {
        let group = self.group;
        if !self.size.is_large {
            svg.text("head", (x, y + 14.0), Anchor::Start, &cut(self.study.group_name(group), 23.0));
            self.native(svg, (x, y + 29.0), "few");
            return;
        }
        let whose = match self.run {
            Some(run) => format!(", {}", cut(self.study.label(run), 22.0)),
            None => ": people".to_owned(),
        };
        let title = format!("{}{whose}", cut(self.study.group_name(group), 16.0));
        svg.text("head", (x, y + 22.0), Anchor::Start, &title);
        self.native(svg, (x, y + 40.0), "small");
    }

    /// Names in the languages other than English, as many as there is room for.
    fn native(&self, svg: &mut Svg, (mut x, y): (f64, f64), class: &str) {
        let letter = if self.size.is_large { 7.0 } else { 5.9 };
        let end = x + self.size.side + self.size.strip;
        for language in self.study.languages().into_iter().filter(|language| language.as_str() != "en") {
            let Some(name) = self.study.native_group(language, self.group) else { continue };
            let wide = letters(name) * letter;
            if x + wide > end {
                svg.text(class, (x, y), Anchor::Start, "…");
                return;
            }
            svg.text_in(language, class, (x, y), name);
            x += wide + 9.0;
        }
    }

    fn axes(&self, svg: &mut Svg, (x, y): (f64, f64), (strip, wide): (f64, f64)) {
        let Size { side, is_large, .. } = self.size;
        let (zero_x, zero_y) = (x + self.scale.place(0.0), y + side - self.scale.place(0.0));
        svg.line("divide", (zero_x, y), (zero_x, y + side));
        svg.line("divide", (x, zero_y), (x + side, zero_y));
        svg.line("divide", (strip, zero_y), (strip + wide, zero_y));
        if !is_large {
            return;
        }
        for (value, label) in self.scale.ticks() {
            let share = self.scale.place(value);
            if value == 0.0 {
                continue;
            }
            svg.text("few", (x + share, y + side + 12.0), Anchor::Middle, &label);
            svg.text("few", (x - 4.0, y + side - share + 3.5), Anchor::End, &label);
        }
        svg.text("small", (x + side, y + side + 28.0), Anchor::End, "more agency →");
        svg.text("small", (x, y - 5.0), Anchor::Start, "↑ more communion");
        svg.text("small", (strip + wide + 6.0, y - 5.0), Anchor::End, "↑ progressive");
        svg.text("small", (strip + wide / 2.0, y + side + 14.0), Anchor::Middle, "beliefs");
    }

    fn find(&self, judge: &Judge, language: &Language) -> Option<&AbcPosition> {
        self.study
            .results
            .positions
            .iter()
            .find(|one| one.judge == *judge && one.language == *language && one.group == *self.group)
    }

    fn place(&self, judge: &Judge, language: &Language, (x, y): (f64, f64), strip: f64) -> Placed {
        let side = self.size.side;
        let Some(found) = self.find(judge, language) else { return Placed { at: None, beliefs: None } };
        let [agency, beliefs, communion] = &found.at;
        let up = |one: &Estimate| y + side - self.scale.place(one.value);
        let at = agency.as_ref().zip(communion.as_ref());
        Placed {
            at: at.map(|(agency, communion)| (x + self.scale.place(agency.value), up(communion))),
            beliefs: beliefs.as_ref().map(|beliefs| (strip, up(beliefs))),
        }
    }

    /// Intervals of agency and communion, of people and of the model.
    fn crosses(&self, svg: &mut Svg, language: &Language, (x, y): (f64, f64), colour: usize) {
        let side = self.size.side;
        let class = format!("run{colour}-whisker abc-cross");
        for judge in std::iter::once(Judge::People).chain(self.run.map(Judge::Run)) {
            let Some([Some(agency), _, Some(communion)]) = self.find(&judge, language).map(|one| &one.at)
            else {
                continue;
            };
            let (right, up) =
                (x + self.scale.place(agency.value), y + side - self.scale.place(communion.value));
            if let Some(one) = agency.interval() {
                let ends = [one.low, one.high].map(|end| (x + self.scale.place(end), up));
                svg.line(&class, ends[0], ends[1]);
            }
            if let Some(one) = communion.interval() {
                let ends = [one.low, one.high].map(|end| (right, y + side - self.scale.place(end)));
                svg.line(&class, ends[0], ends[1]);
            }
        }
    }

    /// What the pointer is told.
    fn said(&self, judge: &Judge, language: &Language) -> String {
        let whose = match judge {
            Judge::People => "people",
            Judge::Run(run) => self.study.run(*run),
        };
        let at = self.find(judge, language).map(|one| {
            let parts = Dimension::ALL.iter().zip(&one.at).map(|(dimension, at)| match at {
                Some(at) => format!("{dimension} {}", Kind::Difference.show(at.value)),
                None => format!("{dimension} –"),
            });
            parts.collect::<Vec<_>>().join(", ")
        });
        format!("{whose}, {language}: {}", at.unwrap_or_else(|| "no place".to_owned()))
    }
}

/// Beside a mark where nothing else is, and within the map.
fn free_place(taken: &[(f64, f64)], (x, y): (f64, f64), size: Size, corner: (f64, f64)) -> (f64, f64) {
    let r = size.radius;
    let tries = [
        (r + 3.0, 4.5),
        (-r - 17.0, 4.5),
        (-6.0, -r - 4.0),
        (-6.0, r + 13.0),
        (r + 3.0, -r - 2.0),
        (r + 3.0, r + 10.0),
    ];
    let places = tries.map(|(right, down)| (x + right, y + down));
    let is_free = |place: &&(f64, f64)| {
        let middle = (place.0 + 6.0, place.1 - 4.0);
        (corner.0..=corner.0 + size.side - 14.0).contains(&place.0)
            && (corner.1 + 8.0..=corner.1 + size.side).contains(&place.1)
            && taken
                .iter()
                .all(|other| (other.0 - middle.0).abs() > 13.0 || (other.1 - middle.1).abs() > 11.0)
    };
    *places.iter().find(is_free).unwrap_or(&places[0])
}
