//! A picture as plain data: what is drawn, in which order, in picture units (pixels, x to the
//! right, y down).
//!
//! Makers turn frames, plots and comparisons into display lists; back ends turn display lists into
//! pixels or SVG. Neither knows the other.

use crate::color::Rgba;
use crate::spatial::Stage;

/// A point of a picture.
pub type Point = [f64; 2];

/// A whole picture.
#[derive(Debug, Clone, PartialEq)]
pub struct DisplayList {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Colour behind everything.
    pub background: Rgba,
    /// What the picture is called, for people who cannot see it.
    pub title: String,
    /// What it shows, in a sentence; empty when the title says it all.
    pub description: String,
    /// Things that should be seen and are not, because their places are not numbers.
    pub left_out: usize,
    items: Vec<(Layer, Item)>,
}

/// Depth of an item: later layers cover earlier ones, and within a layer later items cover earlier
/// ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// Half-planes and other obstacles without end; grids of plots.
    Ground,
    /// Trails of the past.
    Paths,
    /// Insides of bodies.
    Fills,
    /// Springs and edges.
    Links,
    /// Particles and outlines of bodies; curves of plots.
    Bodies,
    /// Velocities, contacts, differences.
    Marks,
    /// Text.
    Labels,
}

impl Layer {
    /// Its name, as SVG groups carry it.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Ground => "ground",
            Layer::Paths => "paths",
            Layer::Fills => "fills",
            Layer::Links => "links",
            Layer::Bodies => "bodies",
            Layer::Marks => "marks",
            Layer::Labels => "labels",
        }
    }
}

/// Something drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A filled disc.
    Disc {
        /// Centre.
        center: Point,
        /// Radius.
        radius: f64,
        /// Colour.
        color: Rgba,
    },
    /// All points within `radius` of a segment.
    Capsule {
        /// One end of the segment.
        start: Point,
        /// The other end.
        end: Point,
        /// Half of the thickness.
        radius: f64,
        /// Colour.
        color: Rgba,
    },
    /// A filled polygon without outline; even–odd inside.
    Polygon {
        /// Corners.
        points: Vec<Point>,
        /// Colour.
        color: Rgba,
    },
    /// Joined line segments.
    Polyline {
        /// Corners.
        points: Vec<Point>,
        /// How it is drawn.
        stroke: Stroke,
    },
    /// A straight arrow with its head at the end.
    Arrow {
        /// Tail.
        start: Point,
        /// Tip.
        end: Point,
        /// Thickness of the shaft.
        width: f64,
        /// Colour.
        color: Rgba,
    },
    /// One line of text.
    Text(Text),
    /// 3D solids, seen by a camera whose picture is this one.
    Stage(Box<Stage>),
    /// A whole picture inside of this one; nothing of it is seen beyond its own size.
    Inset {
        /// Where its upper left corner lies; whole pixels.
        corner: [u32; 2],
        /// The picture.
        list: Box<DisplayList>,
    },
}

/// How a line is drawn; ends and corners are round unless it is dashed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    /// Thickness.
    pub width: f64,
    /// Colour.
    pub color: Rgba,
    /// Lengths of a dash and of the gap after it; a full line when absent.
    pub dash: Option<[f64; 2]>,
}

impl Stroke {
    /// A full line.
    pub fn solid(width: f64, color: Rgba) -> Stroke {
        Stroke { width, color, dash: None }
    }
}

/// One line of text.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// Where it is anchored.
    pub position: Point,
    /// Which of its points lies there, along the line.
    pub align: Align,
    /// Which of its points lies there, across the line.
    pub baseline: Baseline,
    /// Size of the font in pixels.
    pub size: f64,
    /// Regular or bold.
    pub weight: Weight,
    /// Colour.
    pub color: Rgba,
    /// Read from below upwards instead of from left to right.
    pub upwards: bool,
    /// A glow of this colour behind the letters keeps them readable on anything.
    pub halo: Option<Rgba>,
    /// The words.
    pub text: String,
}

impl Text {
    /// Regular text that begins at `position`, on its baseline.
    pub fn new(text: impl Into<String>, position: Point, size: f64, color: Rgba) -> Text {
        Text {
            position,
            align: Align::Start,
            baseline: Baseline::Alphabetic,
            size,
            weight: Weight::Regular,
            color,
            upwards: false,
            halo: None,
            text: text.into(),
        }
    }

    /// The same text, aligned otherwise.
    pub fn aligned(mut self, align: Align, baseline: Baseline) -> Text {
        self.align = align;
        self.baseline = baseline;
        self
    }

    /// The same text in bold.
    pub fn bold(mut self) -> Text {
        self.weight = Weight::Bold;
        self
    }

    /// The same text with a glow behind it.
    pub fn with_halo(mut self, color: Rgba) -> Text {
        self.halo = Some(color);
        self
    }
}

/// Which point along a line of text is anchored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// Which height of a line of text is anchored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Baseline {
    /// The line that letters stand on.
    Alphabetic,
    /// Half of the height of a capital letter.
    Middle,
    /// The top of capital letters.
    Top,
}

/// How heavy letters are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// For reading.
    Regular,
    /// For titles.
    Bold,
}

impl DisplayList {
    /// An empty picture.
    pub fn new(width: u32, height: u32, background: Rgba, title: impl Into<String>) -> DisplayList {
        DisplayList {
            width,
            height,
            background,
            title: title.into(),
            description: String::new(),
            left_out: 0,
            items: Vec::new(),
        }
    }

    /// Adds an item. One with a coordinate or size that is not finite is left out: pictures never
    /// fail for it.
    pub fn push(&mut self, layer: Layer, item: Item) {
        if item.is_finite() {
            self.items.push((layer, item));
        }
    }

    /// All items in the order in which they are drawn.
    pub fn in_order(&self) -> Vec<(Layer, &Item)> {
        let mut order: Vec<(Layer, &Item)> = self.items.iter().map(|(layer, item)| (*layer, item)).collect();
        order.sort_by_key(|(layer, _)| *layer);
        order
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether nothing is drawn but the background.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Adds everything of another picture, moved by `offset`; its background and words are dropped.
    pub fn append_moved(&mut self, other: DisplayList, offset: Point) {
        self.items.extend(other.items.into_iter().map(|(layer, item)| (layer, item.moved(offset))));
    }
}

impl Item {
    fn is_finite(&self) -> bool {
        let ok = |p: &Point| p[0].is_finite() && p[1].is_finite();
        match self {
            Item::Disc { center, radius, .. } => ok(center) && radius.is_finite(),
            Item::Capsule { start, end, radius, .. } => ok(start) && ok(end) && radius.is_finite(),
            Item::Polygon { points, .. } => points.iter().all(ok),
            Item::Polyline { points, stroke } => points.iter().all(ok) && stroke.width.is_finite(),
            Item::Arrow { start, end, width, .. } => ok(start) && ok(end) && width.is_finite(),
            Item::Text(text) => ok(&text.position) && text.size.is_finite(),
            // Solids that are not finite are passed over one by one.
            Item::Stage(_) | Item::Inset { .. } => true,
        }
    }

    fn moved(mut self, offset: Point) -> Item {
        let shift = |p: &mut Point| *p = [p[0] + offset[0], p[1] + offset[1]];
        match &mut self {
            Item::Disc { center, .. } => shift(center),
            Item::Capsule { start, end, .. } | Item::Arrow { start, end, .. } => {
                shift(start);
                shift(end);
            }
            Item::Polygon { points, .. } | Item::Polyline { points, .. } => points.iter_mut().for_each(shift),
            Item::Text(text) => shift(&mut text.position),
            // Its camera belongs to a whole picture.
            Item::Stage(_) => {}
            Item::Inset { corner, .. } => {
                // a negative sum is cut to 0
                *corner = [0, 1].map(|axis| (f64::from(corner[axis]) + offset[axis]).round() as u32);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_in_the_order_of_layers_and_then_of_adding() {
        let mut list = DisplayList::new(10, 10, Rgba::WHITE, "t");
        let disc = |radius: f64| Item::Disc { center: [0.0, 0.0], radius, color: Rgba::BLACK };
        list.push(Layer::Bodies, disc(1.0));
        list.push(Layer::Ground, disc(2.0));
        list.push(Layer::Bodies, disc(3.0));
        let order: Vec<_> = list.in_order().into_iter().map(|(_, item)| item.clone()).collect();
        assert_eq!(order, [disc(2.0), disc(1.0), disc(3.0)]);
    }

    #[test]
    fn what_is_not_finite_is_left_out() {
        let mut list = DisplayList::new(10, 10, Rgba::WHITE, "t");
        list.push(Layer::Bodies, Item::Disc { center: [f64::NAN, 0.0], radius: 1.0, color: Rgba::BLACK });
        list.push(Layer::Bodies, Item::Polygon { points: vec![[0.0, f64::INFINITY]], color: Rgba::BLACK });
        assert!(list.is_empty());
    }
}
