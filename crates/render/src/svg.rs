//! Display lists to SVG text: valid, with a title and a description, one group for each layer.

use std::fmt::Write;

use crate::base64::base64;
use crate::color::Rgba;
use crate::display_list::{Align, DisplayList, Item, Layer, Point, Stroke, Text, Weight};
use crate::output::png;
use crate::raster::{Canvas, arrow_head};
use crate::spatial::Stage;
use crate::text::drop;

/// The embedded font first, then what looks most like it.
const FONTS: &str = "Noto Sans, Open Sans, DejaVu Sans, Verdana, sans-serif";

/// A colour of the picture that a page may change: the name of a CSS custom property stands in for
/// it.
pub type Variable<'a> = (Rgba, &'a str);

/// A picture as a whole SVG file.
pub fn document(list: &DisplayList) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str(&inline(list, &[]));
    out
}

/// A picture as an `svg` element to stand inside of a page. Colours in `variables` become
/// `var(--name, colour)`, so that the page can change them with its theme.
pub fn inline(list: &DisplayList, variables: &[Variable<'_>]) -> String {
    let mut writer = Writer { out: String::new(), variables };
    writer.picture(list, None);
    writer.out
}

/// Text as it stands between tags and in attributes. Signs that XML cannot hold become the
/// replacement sign.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(letter),
            c if c < ' ' || c == '\u{fffe}' || c == '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

struct Writer<'a> {
    out: String,
    variables: &'a [Variable<'a>],
}

impl Writer<'_> {
    /// A picture, or one inside of another with its corner there: what reaches beyond its size is
    /// cut by every viewer.
    fn picture(&mut self, list: &DisplayList, corner: Option<[u32; 2]>) {
        let (w, h) = (list.width, list.height);
        let place =
            corner.map_or(String::new(), |[x, y]| format!(" x=\"{x}\" y=\"{y}\" overflow=\"hidden\""));
        self.add(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\"{place} width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\">\n"
        ));
        self.add(format_args!("<title>{}</title>\n", escaped(&list.title)));
        if !list.description.is_empty() {
            self.add(format_args!("<desc>{}</desc>\n", escaped(&list.description)));
        }
        let background = self.color("fill", list.background);
        self.add(format_args!("<rect width=\"{w}\" height=\"{h}\"{background}/>\n"));
        let mut open: Option<Layer> = None;
        for (layer, item) in list.in_order() {
            if open != Some(layer) {
                if open.is_some() {
                    self.out.push_str("</g>\n");
                }
                self.add(format_args!("<g class=\"{}\">\n", layer.name()));
                open = Some(layer);
            }
            self.item(item);
        }
        if open.is_some() {
            self.out.push_str("</g>\n");
        }
        self.out.push_str("</svg>\n");
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Disc { center: [x, y], radius, color } => {
                let fill = self.color("fill", *color);
                let (x, y, r) = (n(*x), n(*y), n(radius.max(0.0)));
                self.add(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{fill}/>\n"));
            }
            Item::Capsule { start, end, radius, color } => self.line(*start, *end, 2.0 * radius, *color),
            Item::Polygon { points, color } => {
                let fill = self.color("fill", *color);
                let points = joined(points);
                self.add(format_args!("<polygon points=\"{points}\" fill-rule=\"evenodd\"{fill}/>\n"));
            }
            Item::Polyline { points, stroke } => self.polyline(points, stroke),
            Item::Arrow { start, end, width, color } => {
                let (neck, head) = arrow_head(*start, *end, *width);
                self.line(*start, neck, *width, *color);
                let fill = self.color("fill", *color);
                let points = joined(&head);
                self.add(format_args!("<polygon points=\"{points}\"{fill}/>\n"));
            }
            Item::Text(text) => self.text(text),
            Item::Stage(stage) => self.stage(stage),
            Item::Inset { corner, list } => self.picture(list, Some(*corner)),
        }
    }

    /// Solids as an image, twice as fine as the picture.
    fn stage(&mut self, stage: &Stage) {
        let [w, h] = stage.camera.size();
        let fine = Stage { camera: stage.camera.scaled(2), ..stage.clone() };
        let mut list = DisplayList::new(2 * w, 2 * h, stage.background, "");
        list.push(Layer::Bodies, Item::Stage(Box::new(fine)));
        let mut bytes = Vec::new();
        let drawn = Canvas::of(&list).map(|canvas| png::write(&canvas, png::Effort::Small, &mut bytes));
        // A picture that is too large for pixels keeps what is drawn as shapes.
        if matches!(drawn, Ok(Ok(()))) {
            let data = base64(&bytes);
            self.add(format_args!(
                "<image width=\"{w}\" height=\"{h}\" href=\"data:image/png;base64,{data}\"/>\n"
            ));
        }
    }

    fn line(&mut self, start: Point, end: Point, width: f64, color: Rgba) {
        let stroke = self.color("stroke", color);
        self.add(format_args!(
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\"{stroke}/>\n",
            n(start[0]),
            n(start[1]),
            n(end[0]),
            n(end[1]),
            n(width.max(0.0))
        ));
    }

    fn polyline(&mut self, points: &[Point], stroke: &Stroke) {
        let color = self.color("stroke", stroke.color);
        let ends = match stroke.dash {
            Some([on, off]) => format!(" stroke-dasharray=\"{} {}\"", n(on), n(off)),
            None => " stroke-linecap=\"round\"".to_owned(),
        };
        let (points, width) = (joined(points), n(stroke.width.max(0.0)));
        self.add(format_args!(
            "<polyline points=\"{points}\" fill=\"none\" stroke-width=\"{width}\" stroke-linejoin=\"round\"{ends}{color}/>\n"
        ));
    }

    fn text(&mut self, text: &Text) {
        let [x, y] = text.position;
        let down = drop(text.baseline, text.size);
        let place = if text.upwards {
            format!("transform=\"translate({} {}) rotate(-90)\"", n(x + down), n(y))
        } else {
            format!("x=\"{}\" y=\"{}\"", n(x), n(y + down))
        };
        let anchor = match text.align {
            Align::Start => "",
            Align::Middle => " text-anchor=\"middle\"",
            Align::End => " text-anchor=\"end\"",
        };
        let weight = match text.weight {
            Weight::Regular => "",
            Weight::Bold => " font-weight=\"700\"",
        };
        let halo = text.halo.map_or(String::new(), |halo| {
            let width = n((0.18 * text.size).clamp(2.0, 4.0));
            let color = self.color("stroke", halo);
            format!(" paint-order=\"stroke\" stroke-width=\"{width}\" stroke-linejoin=\"round\"{color}")
        });
        let (fill, size, words) = (self.color("fill", text.color), n(text.size), escaped(&text.text));
        self.add(format_args!(
            "<text {place} font-family=\"{FONTS}\" font-size=\"{size}\" xml:space=\"preserve\"{anchor}{weight}{halo}{fill}>{words}</text>\n"
        ));
    }

    /// An attribute with a colour, and one with its opacity where it is not full.
    fn color(&self, attribute: &str, color: Rgba) -> String {
        let opaque = Rgba { alpha: 255, ..color };
        let hex = format!("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
        let value = match self.variables.iter().find(|(known, _)| *known == opaque) {
            Some((_, name)) => format!("var(--{name}, {hex})"),
            None => hex,
        };
        if color.alpha == 255 {
            format!(" {attribute}=\"{value}\"")
        } else {
            format!(" {attribute}=\"{value}\" {attribute}-opacity=\"{}\"", n(f64::from(color.alpha) / 255.0))
        }
    }

    fn add(&mut self, words: std::fmt::Arguments<'_>) {
        self.out.write_fmt(words).expect("a string takes every text");
    }
}

fn joined(points: &[Point]) -> String {
    let mut out = String::with_capacity(12 * points.len());
    for [x, y] in points {
        if !out.is_empty() {
            out.push(' ');
        }
        write!(out, "{},{}", n(*x), n(*y)).expect("a string takes every text");
    }
    out
}

/// A number with at most two decimals: a hundredth of a pixel is not seen.
fn n(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
