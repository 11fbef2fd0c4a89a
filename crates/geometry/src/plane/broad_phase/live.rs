//! Candidates that stay complete while boxes move during the sweep over them.
//!
//! A response in the middle of a sweep may change the path of a disc, and with it the pairs that
//! still lie ahead. Those that are behind are not checked again: the sweep visits exactly the
//! pairs that a sweep over all pairs would, less those whose boxes never overlap at their turn.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::grid::{self, Grid};
use super::{Aabb, Candidates};

/// A pair to be tested next; the first disc is the one asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Partner {
    /// A disc of higher index.
    Disc(u32),
    /// A segment.
    Segment(u32),
}

/// Candidates in canonical order over boxes that may move meanwhile.
#[derive(Debug, Clone, Default)]
pub struct LiveCandidates {
    discs: Movable,
    segments: Movable,
    initial: Candidates,
    /// Pairs found since the start that lie ahead: first disc and rank of the partner.
    late: BinaryHeap<Reverse<(u32, u64)>>,
    turn: Turn,
    gave_up: bool,
}

/// Where the sweep is.
#[derive(Debug, Clone, Copy, Default)]
struct Turn {
    disc: u32,
    /// Rank of the pair last given plus one; ranks count discs, then segments.
    rank: u64,
    cursors: [usize; 2],
}

impl LiveCandidates {
    /// Begins a sweep. A box should have some room for changes: only one that outgrows it costs
    /// anything.
    pub fn start(&mut self, discs: &[Aabb], segments: &[Aabb]) {
        self.discs.start(discs);
        self.segments.start(segments);
        self.initial.clear();
        self.initial.limit(super::most_pairs());
        grid::find(&self.discs.grid, &self.segments.grid, &mut self.initial);
        self.gave_up = self.initial.is_full();
        if self.gave_up {
            self.initial.clear();
        }
        self.initial.sort(discs.len());
        self.late.clear();
        self.turn = Turn::default();
    }

    /// Whether there were more than [`super::most_pairs`] at the start, and so none is given.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// The next partner of `disc`, or none when its turn is over. Discs are asked for in ascending
    /// order, each until there is none.
    pub fn next_of(&mut self, disc: u32) -> Option<Partner> {
        if self.turn.disc != disc {
            self.turn = Turn { disc, ..Turn::default() };
        }
        let early = self.next_initial();
        let late = self.next_late();
        let rank = [early, late].into_iter().flatten().min()?;
        self.turn.rank = rank + 1;
        let discs = self.discs.boxes.len() as u64;
        Some(if rank < discs { Partner::Disc(rank as u32) } else { Partner::Segment((rank - discs) as u32) })
    }

    fn next_initial(&mut self) -> Option<u64> {
        let discs = self.discs.boxes.len() as u64;
        let turn = &mut self.turn;
        for (list, offset, cursor) in
            [(&self.initial.discs, 0, 0), (&self.initial.segments, discs, 1)].into_iter()
        {
            let partners = list.of(turn.disc as usize);
            while let Some(&partner) = partners.get(turn.cursors[cursor]) {
                let rank = u64::from(partner) + offset;
                if rank >= turn.rank {
                    return Some(rank);
                }
                turn.cursors[cursor] += 1;
            }
        }
        None
    }

    fn next_late(&mut self) -> Option<u64> {
        while let Some(&Reverse((disc, rank))) = self.late.peek() {
            if disc > self.turn.disc {
                return None;
            }
            if disc == self.turn.disc && rank >= self.turn.rank {
                return Some(rank);
            }
            self.late.pop();
        }
        None
    }

    /// Tells that the box of a disc is now `current`; `room` is a box around it that later changes
    /// may fill without cost.
    pub fn move_disc(&mut self, disc: u32, current: &Aabb, room: &Aabb) {
        if !self.discs.grow(disc, current, room) {
            return;
        }
        let discs = self.discs.boxes.len() as u64;
        let (late, turn) = (&mut self.late, self.turn);
        self.discs.overlapping(room, |other| {
            let (first, second) = (disc.min(other), disc.max(other));
            if first != second {
                queue(late, turn, first, u64::from(second));
            }
        });
        self.segments.overlapping(room, |e| queue(late, turn, disc, discs + u64::from(e)));
    }

    /// Tells that the box of a segment is now `current`; `room` as for discs.
    pub fn move_segment(&mut self, segment: u32, current: &Aabb, room: &Aabb) {
        if !self.segments.grow(segment, current, room) {
            return;
        }
        let rank = self.discs.boxes.len() as u64 + u64::from(segment);
        let (late, turn) = (&mut self.late, self.turn);
        self.discs.overlapping(room, |disc| queue(late, turn, disc, rank));
    }
}

fn queue(late: &mut BinaryHeap<Reverse<(u32, u64)>>, turn: Turn, disc: u32, rank: u64) {
    if (disc, rank) >= (turn.disc, turn.rank) {
        late.push(Reverse((disc, rank)));
    }
}

/// Boxes in a grid, with a second grid for those that moved since.
#[derive(Debug, Clone, Default)]
struct Movable {
    boxes: Vec<Aabb>,
    grid: Grid,
    moved: Vec<u32>,
    moved_boxes: Vec<Aabb>,
    moved_grid: Grid,
    /// How many of the moved ones are in their grid.
    gridded: usize,
}

impl Movable {
    fn start(&mut self, boxes: &[Aabb]) {
        self.boxes.clear();
        self.boxes.extend_from_slice(boxes);
        self.grid.build(boxes);
        self.moved.clear();
        self.moved_boxes.clear();
        self.moved_grid.build(&[]);
        self.gridded = 0;
    }

    /// Whether the box had to grow.
    fn grow(&mut self, k: u32, current: &Aabb, room: &Aabb) -> bool {
        let Some(known) = self.boxes.get_mut(k as usize) else { return false };
        if known.contains(current) {
            return false;
        }
        *known = *room;
        self.moved.push(k);
        self.moved_boxes.push(*room);
        // a tail of about the square root is scanned; longer ones go into the grid
        let tail = self.moved.len() - self.gridded;
        if tail > 32 && tail * tail > 64 * self.moved.len() {
            self.moved_grid.build(&self.moved_boxes);
            self.gridded = self.moved.len();
        }
        true
    }

    fn overlapping(&self, query: &Aabb, mut found: impl FnMut(u32)) {
        self.grid.overlapping(query, |_| true, &mut found);
        self.moved_grid.overlapping(query, |_| true, |k| found(self.moved[k as usize]));
        let tail = self.moved_boxes[self.gridded..].iter().zip(&self.moved[self.gridded..]);
        tail.filter(|(b, _)| b.overlaps(query)).for_each(|(_, &k)| found(k));
    }
}
