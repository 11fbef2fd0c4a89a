//! When the first two bodies touch, if all keep their velocities.

use super::Detector;
use super::advancement::{Closeness, Mover, first_touch};
use super::narrow::{Placement, edge, edge_count};
use crate::model::{Model, Motion};
use crate::state::BodyState;
use glam::DVec2;

impl Detector {
    /// The first time in (0, `until`] at which two bodies that do not touch now come to touch, within half of the touching
    /// tolerance. Pairs of which no body is free are left out.
    pub fn first_touch(
        &mut self,
        model: &Model,
        states: &[BodyState],
        touching: f64,
        until: f64,
    ) -> Option<f64> {
        self.place(model, states);
        for (k, known) in self.bodies.iter().enumerate() {
            let moving = as_moved(model, states, k);
            let speed = moving.velocity.length() + moving.angular_velocity.abs() * known.extent;
            let reach = known.radius + until * speed + touching * known.extent;
            self.boxes[k] = self.cores[k].grown(reach * (1.0 + super::BOX_ROOM));
        }
        self.broad_phase.find(&self.boxes, &[], &mut self.candidates);
        let mut first: Option<f64> = None;
        for (i, j) in self.candidates.discs.iter().map(|(i, j)| (i as usize, j as usize)) {
            if !self.bodies[i].free && !self.bodies[j].free {
                continue;
            }
            let (a, b) = (self.placement(i, states), self.placement(j, states));
            let near =
                Closeness { radii: a.radius + b.radius, tolerance: 0.5 * touching * a.extent.min(b.extent) };
            for (from, to) in [(a, b), (b, a)] {
                let until = first.unwrap_or(until);
                let moving = [from, to].map(|body| as_moved(model, states, body.index.get()));
                first = vertices_to_edges(from, to, moving, near, until).or(first);
            }
        }
        first
    }
}

/// A body with the velocity that really moves it: none for a fixed one.
fn as_moved(model: &Model, states: &[BodyState], k: usize) -> BodyState {
    match model.bodies[k].motion {
        Motion::Fixed => BodyState { velocity: DVec2::ZERO, angular_velocity: 0.0, ..states[k] },
        Motion::Free | Motion::Scripted(_) => states[k],
    }
}

/// The first touch of a vertex of `a` with an edge of `b`. A disc has its centre for an edge.
fn vertices_to_edges(
    a: Placement,
    b: Placement,
    [a_state, b_state]: [BodyState; 2],
    near: Closeness,
    until: f64,
) -> Option<f64> {
    let mut first = None;
    let mut try_edge = |x: DVec2, start: DVec2, end: DVec2| {
        let vertex = Mover { state: a_state, arms: [x - a.center; 2] };
        let edge = Mover { state: b_state, arms: [start - b.center, end - b.center] };
        first = first_touch(vertex, edge, near, first.unwrap_or(until)).or(first);
    };
    for &x in a.vertices {
        if b.is_disc {
            try_edge(x, b.center, b.center);
        }
        for k in 0..edge_count(b) {
            let (start, end) = edge(b, k);
            try_edge(x, start, end);
        }
    }
    first
}
