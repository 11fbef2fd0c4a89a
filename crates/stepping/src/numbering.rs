//! Numbers of bodies in a contact problem: those of a few bodies, or of all.

const ABSENT: u32 = u32::MAX;

/// Which bodies a problem has, in its order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Numbering {
    place: Vec<u32>,
    bodies: Vec<u32>,
}

impl Numbering {
    /// No bodies of `count`.
    pub(crate) fn start(&mut self, count: usize) {
        for &body in &self.bodies {
            if let Some(place) = self.place.get_mut(body as usize) {
                *place = ABSENT;
            }
        }
        self.bodies.clear();
        self.place.resize(count, ABSENT);
    }

    /// Adds a body; false if it is there already.
    pub(crate) fn add(&mut self, body: u32) -> bool {
        let place = &mut self.place[body as usize];
        let is_new = *place == ABSENT;
        if is_new {
            *place = self.bodies.len() as u32;
            self.bodies.push(body);
        }
        is_new
    }

    /// Numbers the bodies in rising order, so that the problem does not depend on how they were
    /// found.
    pub(crate) fn sort(&mut self) {
        self.bodies.sort_unstable();
        for (place, &body) in self.bodies.iter().enumerate() {
            self.place[body as usize] = place as u32;
        }
    }

    pub(crate) fn place(&self, body: u32) -> u32 {
        self.place[body as usize]
    }

    pub(crate) fn bodies(&self) -> &[u32] {
        &self.bodies
    }
}
