//! Line charts: several labelled series over one axis, with nice ticks, units and a legend that
//! never covers the data.
//!
//! A [`Chart`] is data; [`Chart::picture`] lays it out as a display list for SVG and PNG,
//! [`terminal::chart`] as text.

pub mod history;
mod layout;
mod quantity;
pub mod terminal;
pub mod ticks;

use crate::color::{Rgba, SERIES, SERIES_ON_DARK};
use crate::display_list::DisplayList;

/// A chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// The axis below.
    pub x: Axis,
    /// The axis to the left.
    pub y: Axis,
    /// The curves.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// What is measured.
    pub label: String,
    /// In which unit; empty for pure numbers.
    pub unit: String,
    /// Powers of ten at equal distances; values of zero and less are left out.
    pub logarithmic: bool,
}

impl Axis {
    /// A plain axis.
    pub fn new(label: impl Into<String>, unit: impl Into<String>) -> Axis {
        Axis { label: label.into(), unit: unit.into(), logarithmic: false }
    }

    /// Label and unit as they are written.
    pub fn words(&self) -> String {
        if self.unit.is_empty() { self.label.clone() } else { format!("{} [{}]", self.label, self.unit) }
    }
}

/// A curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What it is called in the legend.
    pub label: String,
    /// Its points, x growing. A value that is not finite breaks the curve.
    pub points: Vec<[f64; 2]>,
}

/// Colours of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// Behind everything.
    pub paper: Rgba,
    /// Titles and labels.
    pub ink: Rgba,
    /// Ticks and units.
    pub faint: Rgba,
    /// Lines of the grid.
    pub grid: Rgba,
    /// Curves, in their order.
    pub series: [Rgba; 8],
}

impl Theme {
    /// Dark on white.
    pub const LIGHT: Theme = Theme {
        paper: Rgba::WHITE,
        ink: Rgba::opaque(28, 30, 36),
        faint: Rgba::opaque(88, 92, 102),
        grid: Rgba::opaque(226, 228, 233),
        series: SERIES,
    };
    /// Light on nearly black.
    pub const DARK: Theme = Theme {
        paper: Rgba::opaque(24, 26, 31),
        ink: Rgba::opaque(236, 237, 240),
        faint: Rgba::opaque(164, 168, 178),
        grid: Rgba::opaque(56, 60, 69),
        series: SERIES_ON_DARK,
    };

    /// Names of CSS properties by which a page can change the colours of [`Theme::LIGHT`] in an
    /// inline SVG.
    pub fn variables() -> [(Rgba, &'static str); 12] {
        let t = Theme::LIGHT;
        let s = t.series;
        [
            (t.paper, "carom-paper"),
            (t.ink, "carom-ink"),
            (t.faint, "carom-faint"),
            (t.grid, "carom-grid"),
            (s[0], "carom-series-1"),
            (s[1], "carom-series-2"),
            (s[2], "carom-series-3"),
            (s[3], "carom-series-4"),
            (s[4], "carom-series-5"),
            (s[5], "carom-series-6"),
            (s[6], "carom-series-7"),
            (s[7], "carom-series-8"),
        ]
    }
}

impl Chart {
    /// A chart without curves yet.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Chart {
        Chart { title: title.into(), x, y, series: Vec::new() }
    }

    /// Adds a curve.
    pub fn add(&mut self, label: impl Into<String>, points: Vec<[f64; 2]>) {
        self.series.push(Series { label: label.into(), points });
    }

    /// The chart as a picture. From the ninth curve on colours return, dashed; a curve that lies on
    /// an earlier one is dashed too.
    pub fn picture(&self, width: u32, height: u32, theme: &Theme) -> DisplayList {
        layout::picture(self, width, height, theme)
    }
}

/// Charts below each other in one picture, each `height` pixels high.
pub fn stacked(title: &str, charts: &[Chart], width: u32, height: u32, theme: &Theme) -> DisplayList {
    let count = charts.len().max(1) as u32;
    let mut list = DisplayList::new(width, height.saturating_mul(count), theme.paper, title);
    list.description = charts.iter().map(|chart| chart.title.as_str()).collect::<Vec<_>>().join("; ");
    for (row, chart) in charts.iter().enumerate() {
        list.append_moved(chart.picture(width, height, theme), [0.0, f64::from(height) * row as f64]);
    }
    list
}
