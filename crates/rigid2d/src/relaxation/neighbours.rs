//! Which pushes move a body.

use super::push::Push;

/// The pushes of each body.
#[derive(Debug, Clone, Default)]
pub(super) struct Neighbours {
    /// Where those of each body start, and at last where all end.
    start: Vec<u32>,
    pushes: Vec<u32>,
}

impl Neighbours {
    pub(super) fn find(&mut self, pushes: &[Push], bodies: usize) {
        self.start.clear();
        self.start.resize(bodies + 2, 0);
        for body in pushes.iter().flat_map(|push| push.bodies) {
            self.start[body as usize + 2] += 1;
        }
        for i in 1..self.start.len() {
            self.start[i] += self.start[i - 1];
        }
        self.pushes.clear();
        self.pushes.resize(2 * pushes.len(), 0);
        for (k, push) in pushes.iter().enumerate() {
            for body in push.bodies {
                let place = &mut self.start[body as usize + 1];
                self.pushes[*place as usize] = k as u32;
                *place += 1;
            }
        }
    }

    pub(super) fn of(&self, body: u32) -> &[u32] {
        &self.pushes[self.start[body as usize] as usize..self.start[body as usize + 1] as usize]
    }
}
