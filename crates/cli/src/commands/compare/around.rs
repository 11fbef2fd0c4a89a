//! The first wrong step and those around it, for the page about a file: what is right beside what
//! the file holds.

use super::marks::Lists;
use crate::examination::Examination;
use crate::film;
use anyhow::Result;
use carom::grading::{ComparedStep, Sample};
use carom_render::picture::comparison::Side;
use carom_render::picture::focus::Focus;
use carom_render::report::Figure;
use carom_render::{Extent, Options, Painter, Trails, View};
use carom_trajectory::Frame;

/// Of scenes with more numbers in a frame only the first wrong step is drawn: a page is to be
/// mailed.
const MOST_NUMBERS: usize = 1500;
/// Longer side of pictures that stand side by side.
const SIDE: f64 = 420.0;

/// The first wrong step with both runs in one picture, then steps around it with the two side by
/// side.
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
    let view = |side: f64| {
        let [width, height] = film::fitted_size(scene, &extent, side);
        View::new(scene, &extent, width, height)
    };
    let large = Painter::new(scene, view(film::SIDE), options);
    let frames = (&wrong.expected, &wrong.got);
    let over = large.paint_close_up(frames.0, &lists(examination, &large, frames).differences())?;
    let near = focus(examination, &large).filter(|focus| large.is_worth(focus));
    let small = near.map_or_else(|| view(SIDE), |focus| View::around(&focus, SIDE as u32, SIDE as u32));
    let small = Painter::new(scene, small, options);
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

/// What is wrong in the first wrong step, and where it is in the steps around it.
fn focus(examination: &Examination, painter: &Painter<'_>) -> Option<Focus> {
    let wrong = examination.grade.wrong_step.as_ref()?;
    let lists = lists(examination, painter, (&wrong.expected, &wrong.got));
    let scene = painter.scene();
    let first = Focus::of(scene, &wrong.expected, &lists.differences())?;
    let around = examination.grade.around.iter();
    // no contact of another step: the same bodies are to be seen
    let contacts = &wrong.expected.contacts;
    let places = around.map(|sample| Frame { contacts: contacts.clone(), ..sample.step.expected.clone() });
    let others = places.filter_map(|frame| Focus::of(scene, &frame, &lists.differences()));
    let joined = others.fold(first, Focus::joined);
    // what flies through the picture within a step is not followed
    Some(if joined.is_much_larger_than(&first) { first } else { joined })
}

fn lists(examination: &Examination, painter: &Painter<'_>, (expected, got): (&Frame, &Frame)) -> Lists {
    let has_collisions = examination.grade.grader.collisions.count() > 0;
    Lists::of(painter, &ComparedStep { expected, got, free: None, has_collisions })
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
    let lists = lists(examination, painter, (expected, got));
    let trails = Trails::new(painter.scene());
    let frame = if side == Side::Found { got } else { expected };
    let drawn = painter.paint_differences(frame, &trails, &lists.differences(), side);
    match drawn {
        // a file may hold anything; what cannot be drawn is left out of the picture, not of the
        // page
        Err(_) if side == Side::Found => {
            Ok(painter.paint_differences(expected, &trails, &Default::default(), side)?)
        }
        other => Ok(other?),
    }
}
