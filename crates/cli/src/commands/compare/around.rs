//! The first wrong step and those around it, for the page about a file: what is right beside what the file holds.

use super::marks::Lists;
use crate::examination::Examination;
use crate::film;
use anyhow::Result;
use carom::grading::{ComparedStep, Sample};
use carom_render::picture::comparison::Side;
use carom_render::report::Figure;
use carom_render::{Extent, Options, Painter, Trails, View};
use carom_trajectory::Frame;

/// Of scenes with more numbers in a frame only the first wrong step is drawn: a page is to be mailed.
const MOST_NUMBERS: usize = 1500;
/// Longer side of pictures that stand side by side.
const SIDE: f64 = 420.0;

/// The first wrong step with both runs in one picture, then steps around it with the two side by side.
pub(super) fn figures(examination: &Examination) -> Result<Vec<Figure>> {
    let Some(wrong) = &examination.grade.wrong_step else { return Ok(Vec::new()) };
    let scene = &examination.scene.scene;
    let step = wrong.got.step;
    let mut extent = Extent::default();
    extent.include(scene, &wrong.expected);
    // with what comes before and after, so that the surroundings are seen
    for sample in examination.grade.samples.iter().chain(&examination.grade.around) {
        extent.include(scene, &sample.step.before);
    }
    let options = Options { time: true, ..Options::default() };
    let painter = |side: f64| {
        let [width, height] = film::fitted_size(scene, &extent, side);
        Painter::new(scene, View::new(scene, &extent, width, height), options)
    };
    let (large, small) = (painter(film::SIDE), painter(SIDE));
    let over = picture(examination, &large, (&wrong.expected, &wrong.got), Side::Both)?;
    let mut figures = vec![Figure {
        title: format!("Step {step}, the first that is wrong"),
        pictures: vec![(over, "Yours in red, right in green.".to_owned())],
        caption: String::new(),
        table: None,
    }];
    let is_large = wrong.expected.positions.len() > MOST_NUMBERS;
    let shown = |sample: &&Sample| !is_large || sample.step.got.step == step;
    for sample in examination.grade.around.iter().filter(shown) {
        figures.push(side_by_side(examination, &small, sample, step)?);
    }
    Ok(figures)
}

fn side_by_side(
    examination: &Examination,
    painter: &Painter<'_>,
    sample: &Sample,
    first_wrong: u64,
) -> Result<Figure> {
    let frames = (&sample.step.expected, &sample.step.got);
    let step = sample.step.got.step;
    let title = match step.cmp(&first_wrong) {
        std::cmp::Ordering::Less => format!("Step {step}, still right"),
        std::cmp::Ordering::Equal => format!("Step {step}, side by side"),
        std::cmp::Ordering::Greater if sample.is_right => format!("Step {step}, right again"),
        std::cmp::Ordering::Greater => format!("Step {step}, wrong again"),
    };
    let right = picture(examination, painter, frames, Side::Right)?;
    let yours = picture(examination, painter, frames, Side::Found)?;
    let caption = if step > first_wrong {
        "Both from your frame before: what was wrong earlier does not count here.".to_owned()
    } else {
        String::new()
    };
    let pictures =
        vec![(right, "As it should be: Carom's frame.".to_owned()), (yours, "Your file's frame.".to_owned())];
    Ok(Figure { title, pictures, caption, table: None })
}

fn picture(
    examination: &Examination,
    painter: &Painter<'_>,
    (expected, got): (&Frame, &Frame),
    side: Side,
) -> Result<carom_render::display_list::DisplayList> {
    let has_collisions = examination.grade.grader.collisions.count() > 0;
    let step = ComparedStep { expected, got, free: None, has_collisions };
    let lists = Lists::of(painter, &step);
    let trails = Trails::new(painter.scene());
    let frame = if side == Side::Found { got } else { expected };
    let drawn = painter.paint_differences(frame, &trails, &lists.differences(), side);
    match drawn {
        // a file may hold anything; what cannot be drawn is left out of the picture, not of the page
        Err(_) if side == Side::Found => {
            Ok(painter.paint_differences(expected, &trails, &Default::default(), side)?)
        }
        other => Ok(other?),
    }
}
