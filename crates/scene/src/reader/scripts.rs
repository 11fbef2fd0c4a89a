//! Scripts: a body follows one, and a fixed body none.

use super::Reader;
use crate::description::rigid::{self, RigidScene};
use crate::description::spatial::{Shape, SpatialScene};
use crate::problem::Problem;
use std::collections::BTreeMap;

/// A tag that says how a body moves.
struct Script {
    tag: &'static str,
    /// Which one of its tag.
    ordinal: usize,
    body: usize,
    /// The time of a key; none for a motion, which is for all times.
    time: Option<f64>,
}

impl Reader<'_> {
    /// A half-plane with a script is not fixed.
    pub(super) fn check_planar_scripts(&mut self, scene: &mut RigidScene) {
        for (body, kinematic) in scene.kinematic().into_iter().enumerate() {
            let body = &mut scene.bodies[body];
            if kinematic && matches!(body.shape, rigid::Shape::HalfPlane { .. }) {
                body.fixed = false;
            }
        }
        let keys = scene.keys.iter().map(|key| (key.body, key.time));
        let motions = scene.motions.iter().map(|motion| (motion.path.tag(), motion.body));
        let fixed: Vec<bool> = scene.bodies.iter().map(|body| body.fixed).collect();
        self.check_scripts(&scripts("rigidbodyscript", keys, motions), &fixed);
    }

    /// A half-space with a script is not fixed.
    pub(super) fn check_spatial_scripts(&mut self, scene: &mut SpatialScene) {
        for (body, kinematic) in scene.kinematic().into_iter().enumerate() {
            let body = &mut scene.bodies[body];
            if kinematic && matches!(body.shape, Shape::HalfSpace { .. }) {
                body.fixed = false;
            }
        }
        let keys = scene.keys.iter().map(|key| (key.body, key.time));
        let motions = scene.motions.iter().map(|motion| (motion.path.tag(), motion.body));
        let fixed: Vec<bool> = scene.bodies.iter().map(|body| body.fixed).collect();
        self.check_scripts(&scripts("rigidbody3dscript", keys, motions), &fixed);
    }

    /// The keys of a body rise in time; a motion stands alone; a fixed body has neither.
    fn check_scripts(&mut self, scripts: &[Script], fixed: &[bool]) {
        let mut last: Vec<Option<&Script>> = vec![None; fixed.len()];
        for script in scripts.iter().filter(|script| script.body < fixed.len()) {
            let Script { tag, ordinal, body, .. } = *script;
            if fixed[body] {
                let span = self.span(tag, ordinal, "body");
                let problem = Problem::error(span, "a fixed body cannot follow a script")
                    .label(format!("body {body} is fixed"));
                self.problems.push(problem.at(tag, Some("body")));
            }
            if let Some(earlier) = last[body].replace(script) {
                self.check_against(script, earlier);
            }
        }
    }

    fn check_against(&mut self, script: &Script, earlier: &Script) {
        let Script { tag, ordinal, body, .. } = *script;
        match (earlier.time, script.time) {
            (Some(before), Some(time)) if time <= before => {
                let span = self.span(tag, ordinal, "t");
                let problem = Problem::error(span, "the keys of a body must rise in time")
                    .label(format!("not after {before}"))
                    .related(self.span(tag, earlier.ordinal, "t"), "the key before it");
                self.problems.push(problem.at(tag, Some("t")));
            }
            (Some(_), Some(_)) => {}
            _ => {
                let span = self.span(tag, ordinal, "body");
                let problem = Problem::error(span, "a body cannot follow two scripts")
                    .label(format!("body {body} is moved already"))
                    .related(self.span(earlier.tag, earlier.ordinal, "body"), "by this one");
                self.problems.push(problem.at(tag, Some("body")));
            }
        }
    }
}

/// All scripts of a scene: keys first, then motions, each in the order of the file.
fn scripts(
    key_tag: &'static str,
    keys: impl Iterator<Item = (usize, f64)>,
    motions: impl Iterator<Item = (&'static str, usize)>,
) -> Vec<Script> {
    let key = |(ordinal, (body, time))| Script { tag: key_tag, ordinal, body, time: Some(time) };
    let mut all: Vec<Script> = keys.enumerate().map(key).collect();
    let mut seen: BTreeMap<&'static str, usize> = BTreeMap::new();
    for (tag, body) in motions {
        let count = seen.entry(tag).or_default();
        all.push(Script { tag, ordinal: *count, body, time: None });
        *count += 1;
    }
    all
}
