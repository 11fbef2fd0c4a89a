//! What `carom compare` says about a file, for the page.

use crate::reply::Reply;
use carom::grading::{self, Scope};
use carom::{Options, Simulation};
use carom_scene::ReadOptions;
use carom_trajectory::compare::Residual;
use carom_trajectory::course::CourseLayout;
use carom_trajectory::{Header, JournalBytes};
use serde_json::{Value, json};

/// How far the free run may drift before it is reported.
const TOLERANCE: f64 = 1e-9;

/// Compares a scene with a trajectory, every step from the trajectory's step before. The answer
/// holds `verdict`, the states of the first wrong step (`expected`, `got`; those of the last step
/// when none is wrong), and the distance of the two at every step (`distances`).
pub(crate) fn compare(text: &str, file: &str, course: bool, reply: &mut Reply) -> Result<(), String> {
    let bytes = from_base64(file).ok_or("the file did not arrive whole")?;
    let reading = carom_scene::read(text, &ReadOptions { course, strict: false });
    let scene = reading.scene.ok_or_else(|| format!("the scene has {}", reading.problems.summary()))?;
    let options = Options::course(course);
    let simulation = Simulation::new(&scene, options).map_err(|error| error.to_string())?;
    let layout = grading::course_records(&scene)
        .map(|records| CourseLayout::new(records, simulation.body_count() as u64, simulation.dt()));
    // An archive of numpy is made into a journal: from there on it is a trajectory like any other.
    let (journal, has_contacts) = if bytes.starts_with(b"PK") {
        let (journal, has_contacts) = journal_of(&bytes, &simulation, text)?;
        (Some(journal), has_contacts)
    } else {
        (None, true)
    };
    let mut reference = carom_trajectory::open_bytes(journal.as_deref().unwrap_or(&bytes), layout)
        .map_err(|error| error.to_string())?;
    let mut distances = Vec::new();
    let mut states: Vec<(u64, Vec<f64>, Vec<f64>)> = Vec::new();
    let mut worst = -1.0_f64;
    let grade =
        grading::grade_watched(&scene, options, &mut reference, (Scope::Whole, TOLERANCE), &mut |step| {
            let pairs = step.expected.positions.iter().zip(&step.got.positions);
            let distance = pairs.map(|(e, g)| (e - g).abs()).fold(0.0, f64::max);
            distances.push(distance);
            // The step that is off most is shown; the first wrong one is named by the grader.
            if distance > worst || states.is_empty() {
                worst = distance;
                states =
                    vec![(step.expected.step, step.expected.positions.clone(), step.got.positions.clone())];
            }
        })
        .map_err(|error| error.to_string())?;
    let residual = |r: &Residual| {
        json!({ "quantity": r.quantity, "sum": r.sum, "sumLimit": r.sum_limit, "largest": r.largest,
                "largestLimit": r.largest_limit, "pass": r.passes() })
    };
    let grader = &grade.grader;
    let all = grader.residuals.iter().chain(&grader.quantities);
    // Where the file does not report contacts, none is missed.
    let states_pass = grade.failure.is_none() && all.clone().all(Residual::passes);
    let passes = if has_contacts { grade.passes() } else { states_pass };
    let collisions_pass = !has_contacts || grader.collisions.passes();
    reply.set(
        "verdict",
        json!({
            "pass": passes, "failure": grade.failure, "frames": grade.frames,
            "plannedFrames": grade.planned_frames, "residuals": all.map(residual).collect::<Vec<Value>>(),
            "collisions": grader.collisions, "collisionsPass": collisions_pass,
            "first": grader.first, "worst": grader.worst, "identical": grade.free_run.identical,
            "step": states.first().map(|(step, ..)| *step),
        }),
    );
    let (_, expected, got) = states.into_iter().next().unwrap_or_default();
    reply.array("expected", expected);
    reply.array("got", got);
    reply.array("distances", distances);
    Ok(())
}

/// A journal with the frames of a numpy archive, and whether it reports contacts.
fn journal_of(bytes: &[u8], simulation: &Simulation, text: &str) -> Result<(Vec<u8>, bool), String> {
    let (family, dt) = (simulation.family(), simulation.dt());
    let (frames, has_contacts) =
        carom_trajectory::npz_frames(bytes, family, dt).map_err(|e| e.to_string())?;
    let header = Header::new(family, simulation.body_count() as u64, dt, "run.npz", text);
    let mut journal = JournalBytes::new(&header).map_err(|error| error.to_string())?;
    frames.iter().try_for_each(|frame| journal.append(frame)).map_err(|error| error.to_string())?;
    Ok((journal.finish(), has_contacts))
}

/// RFC 4648, section 4, without line breaks; nothing for other letters.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 3);
    let (mut bits, mut count) = (0_u32, 0);
    for letter in digits.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_as_the_standard_has_it() {
        for (text, bytes) in
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar")]
        {
            assert_eq!(from_base64(text), Some(bytes.as_bytes().to_vec()));
        }
        assert_eq!(from_base64("Zm9v YmFy"), None);
    }
}
