//! A run on one page: a self-contained HTML file with the movie, the plots, a summary, the
//! diagnostics and the scene. It loads nothing from anywhere, so it can be sent by mail.

use std::fmt::Write;

use crate::base64::base64;
use crate::display_list::DisplayList;
use crate::plot::{Chart, Theme};
use crate::svg::{self, escaped};

/// Size of the plots on the page, in CSS pixels: as wide as one of two columns, so that their words
/// are as large as they should be.
const PLOT: [u32; 2] = [520, 260];
/// Of a plot that has the page for itself.
const LONE_PLOT: [u32; 2] = [1040, 340];

/// What goes on the page.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The headline.
    pub title: String,
    /// A sentence below it; may be empty.
    pub subtitle: String,
    /// The movie.
    pub movie: Option<Movie>,
    /// Rows of the summary: what it is, and its value.
    pub summary: Vec<(String, String)>,
    /// Pictures with sentences about them.
    pub figures: Vec<Figure>,
    /// Further tables.
    pub tables: Vec<Table>,
    /// The plots, in their order.
    pub charts: Vec<Chart>,
    /// What went wrong or looked odd.
    pub diagnostics: Vec<Diagnostic>,
    /// The text of the scene file.
    pub scene: String,
    /// The last line of the page: which program made it, for instance.
    pub footer: String,
}

/// A picture, or several side by side.
#[derive(Debug, Clone, Default)]
pub struct Figure {
    /// What it is about.
    pub title: String,
    /// Pictures with what is below each.
    pub pictures: Vec<(DisplayList, String)>,
    /// A sentence below all of them; may be empty.
    pub caption: String,
    /// A table that belongs to it, right below.
    pub table: Option<Table>,
}

/// A table with a headline.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// What it is about.
    pub title: String,
    /// The names of the columns.
    pub head: Vec<String>,
    /// Rows, each with a class for its look: `pass`, `fail` or nothing.
    pub rows: Vec<(&'static str, Vec<String>)>,
}

/// A movie as it is in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movie {
    /// What kind of file.
    pub format: MovieFormat,
    /// All of its bytes.
    pub bytes: Vec<u8>,
    /// Size in pixels.
    pub size: [u32; 2],
}

/// Kinds of movies on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MovieFormat {
    /// H.264 in MP4.
    Mp4,
    /// An animated GIF.
    Gif,
}

/// One line of the diagnostics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What it is.
    pub text: String,
}

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Good to know.
    Note,
    /// Worth a look.
    Warning,
    /// Results should not be trusted.
    Error,
}

impl Severity {
    fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl Page {
    /// The page as text.
    pub fn to_html(&self) -> String {
        let title = escaped(&self.title);
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{}{STYLE}</style>\n</head>\n<body>\n<main>\n<header>\n<h1>{title}</h1>\n",
            theme_style()
        );
        if !self.subtitle.is_empty() {
            add(&mut out, format_args!("<p class=\"lead\">{}</p>\n", escaped(&self.subtitle)));
        }
        out.push_str("</header>\n<div class=\"top\">\n");
        if let Some(movie) = &self.movie {
            write_movie(&mut out, movie, &title);
        }
        self.write_summary(&mut out);
        out.push_str("</div>\n");
        self.write_diagnostics(&mut out);
        self.write_figures(&mut out);
        self.tables.iter().for_each(|table| write_table(&mut out, table));
        self.write_plots(&mut out);
        if !self.scene.is_empty() {
            let scene = escaped(&self.scene);
            add(
                &mut out,
                format_args!(
                    "<section>\n<h2>Scene</h2>\n<pre tabindex=\"0\"><code>{scene}</code></pre>\n</section>\n"
                ),
            );
        }
        out.push_str("</main>\n");
        if !self.footer.is_empty() {
            add(&mut out, format_args!("<footer>{}</footer>\n", escaped(&self.footer)));
        }
        out.push_str("</body>\n</html>\n");
        out
    }

    fn write_summary(&self, out: &mut String) {
        if self.summary.is_empty() {
            return;
        }
        out.push_str("<section class=\"summary\">\n<h2>Summary</h2>\n<table>\n<tbody>\n");
        for (label, value) in &self.summary {
            let (label, value) = (escaped(label), escaped(value));
            add(out, format_args!("<tr><th scope=\"row\">{label}</th><td>{value}</td></tr>\n"));
        }
        out.push_str("</tbody>\n</table>\n</section>\n");
    }

    fn write_diagnostics(&self, out: &mut String) {
        if self.diagnostics.is_empty() && !self.tables.is_empty() {
            return;
        }
        out.push_str("<section>\n<h2>Diagnostics</h2>\n");
        if self.diagnostics.is_empty() {
            out.push_str("<p>Nothing to report.</p>\n</section>\n");
            return;
        }
        out.push_str("<ul class=\"diagnostics\">\n");
        for Diagnostic { severity, text } in &self.diagnostics {
            let (kind, text) = (severity.name(), escaped(text));
            add(out, format_args!("<li class=\"{kind}\"><strong>{kind}</strong> {text}</li>\n"));
        }
        out.push_str("</ul>\n</section>\n");
    }

    fn write_figures(&self, out: &mut String) {
        for figure in &self.figures {
            add(out, format_args!("<section>\n<h2>{}</h2>\n<div class=\"side\">\n", escaped(&figure.title)));
            for (picture, words) in &figure.pictures {
                out.push_str("<figure class=\"step\">\n");
                out.push_str(&svg::inline(picture, &[]));
                add(out, format_args!("<figcaption>{}</figcaption>\n</figure>\n", escaped(words)));
            }
            out.push_str("</div>\n");
            if !figure.caption.is_empty() {
                add(out, format_args!("<p class=\"below\">{}</p>\n", escaped(&figure.caption)));
            }
            out.push_str("</section>\n");
            if let Some(table) = &figure.table {
                write_table(out, table);
            }
        }
    }

    fn write_plots(&self, out: &mut String) {
        if self.charts.is_empty() {
            return;
        }
        out.push_str("<section>\n<h2>Plots</h2>\n<div class=\"plots\">\n");
        let [width, height] = if self.charts.len() == 1 { LONE_PLOT } else { PLOT };
        for chart in &self.charts {
            let picture = chart.picture(width, height, &Theme::LIGHT);
            out.push_str("<figure>\n");
            out.push_str(&svg::inline(&picture, &Theme::variables()));
            out.push_str("</figure>\n");
        }
        out.push_str("</div>\n</section>\n");
    }
}

fn add(out: &mut String, words: std::fmt::Arguments<'_>) {
    out.write_fmt(words).expect("a string takes every text");
}

fn write_table(out: &mut String, table: &Table) {
    add(
        out,
        format_args!(
            "<section>\n<h2>{}</h2>\n<div class=\"wide\">\n<table>\n<thead>\n<tr>",
            escaped(&table.title)
        ),
    );
    for name in &table.head {
        add(out, format_args!("<th scope=\"col\">{}</th>", escaped(name)));
    }
    out.push_str("</tr>\n</thead>\n<tbody>\n");
    for (class, cells) in &table.rows {
        add(out, format_args!("<tr class=\"{class}\">"));
        for cell in cells {
            add(out, format_args!("<td>{}</td>", escaped(cell)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n</section>\n");
}

fn write_movie(out: &mut String, movie: &Movie, title: &str) {
    let data = base64(&movie.bytes);
    let [width, height] = movie.size;
    out.push_str("<figure class=\"movie\">\n");
    match movie.format {
        MovieFormat::Mp4 => add(
            out,
            format_args!(
                "<video controls loop muted autoplay playsinline width=\"{width}\" height=\"{height}\" aria-label=\"Movie of {title}\" \
                 src=\"data:video/mp4;base64,{data}\"></video>\n"
            ),
        ),
        MovieFormat::Gif => add(
            out,
            format_args!(
                "<img width=\"{width}\" height=\"{height}\" alt=\"Movie of {title}\" src=\"data:image/gif;base64,{data}\">\n"
            ),
        ),
    }
    out.push_str("</figure>\n");
}

/// The colours of both themes as properties: the page and its plots share them.
fn theme_style() -> String {
    let (light, dark) = (Theme::LIGHT, Theme::DARK);
    let properties = |theme: &Theme| {
        let colors = [theme.paper, theme.ink, theme.faint, theme.grid].into_iter().chain(theme.series);
        let pairs = Theme::variables().into_iter().zip(colors);
        let lines =
            pairs.map(|((_, name), c)| format!("--{name}: #{:02x}{:02x}{:02x};", c.red, c.green, c.blue));
        lines.collect::<Vec<_>>().join(" ")
    };
    format!(
        ":root {{ color-scheme: light dark; --page: #f4f5f7; {} }}\n\
         @media (prefers-color-scheme: dark) {{ :root {{ --page: #101216; {} }} }}\n",
        properties(&light),
        properties(&dark)
    )
}

const STYLE: &str = include_str!("../assets/report.css");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Rgba;
    use crate::plot::Axis;

    #[test]
    fn a_page_holds_everything_and_loads_nothing() {
        let mut chart = Chart::new("Energy", Axis::new("time", "s"), Axis::new("energy", "J"));
        chart.add("kinetic", vec![[0.0, 1.0], [1.0, 2.0]]);
        let report = Page {
            title: "A <b> & c".to_owned(),
            subtitle: "sub".to_owned(),
            movie: Some(Movie { format: MovieFormat::Gif, bytes: b"foobar".to_vec(), size: [8, 8] }),
            summary: vec![("steps".to_owned(), "<7>".to_owned())],
            tables: vec![Table {
                title: "Steps".to_owned(),
                head: vec!["n".to_owned()],
                rows: vec![("fail", vec!["<1>".to_owned()])],
            }],
            figures: vec![Figure {
                title: "Step <7>".to_owned(),
                pictures: vec![
                    (DisplayList::new(8, 8, Rgba::opaque(255, 255, 255), ""), "right".to_owned()),
                    (DisplayList::new(8, 8, Rgba::opaque(255, 255, 255), ""), "yours".to_owned()),
                ],
                caption: "side by side".to_owned(),
                table: None,
            }],
            charts: vec![chart],
            diagnostics: vec![Diagnostic { severity: Severity::Warning, text: "it \"leaks\"".to_owned() }],
            scene: "<scene><!-- </pre><script>alert(1)</script> --></scene>".to_owned(),
            footer: "made by a test".to_owned(),
        };
        let html = report.to_html();
        assert!(html.starts_with("<!DOCTYPE html>"));
        assert!(html.contains("<h1>A &lt;b&gt; &amp; c</h1>"));
        assert!(html.contains("data:image/gif;base64,Zm9vYmFy"));
        assert!(html.contains("<td>&lt;7&gt;</td>"));
        assert!(html.contains("<tr class=\"fail\"><td>&lt;1&gt;</td></tr>"));
        assert!(html.contains("<h2>Step &lt;7&gt;</h2>"));
        assert_eq!(html.matches("<figure class=\"step\">").count(), 2, "pictures are side by side");
        assert!(html.contains("var(--carom-ink, #"), "plots follow the theme");
        assert!(!html.contains("<script"), "the scene is text, not markup");
        for outside in ["http://", "https://", "url(", "@import"] {
            let found = html.replace("http://www.w3.org/2000/svg", "").contains(outside);
            assert!(!found, "{outside} would load something");
        }
    }
}
