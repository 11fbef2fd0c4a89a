//! Candidate pairs in their canonical order.

/// The candidates of one broad phase.
#[derive(Debug, Clone, Default)]
pub struct Candidates {
    /// For each disc, the discs of higher index.
    pub discs: PairList,
    /// For each disc, the segments.
    pub segments: PairList,
}

impl Candidates {
    pub(super) fn clear(&mut self) {
        self.discs.clear();
        self.segments.clear();
    }

    /// Lists hold at most so many pairs, repetitions included (a few for each).
    pub(super) fn limit(&mut self, most: usize) {
        self.discs.most = most.saturating_mul(REPETITIONS);
        self.segments.most = self.discs.most;
    }

    /// Whether a list has reached its limit.
    pub(super) fn is_full(&self) -> bool {
        self.discs.is_full() || self.segments.is_full()
    }

    pub(super) fn sort(&mut self, discs: usize) {
        self.discs.sort(discs);
        self.segments.sort(discs);
    }
}

/// Scratch buffer for pairs that a grid finds more than once.
const REPETITIONS: usize = 2;

/// For each first index the second ones, ascending, without repetition.
#[derive(Debug, Clone, Default)]
pub struct PairList {
    /// Pairs that are kept; later ones are dropped.
    most: usize,
    found: Vec<(u32, u32)>,
    starts: Vec<u32>,
    seconds: Vec<u32>,
}

impl PairList {
    /// The partners of `first`, ascending; none for an index that was not there.
    #[inline]
    pub fn of(&self, first: usize) -> &[u32] {
        match (self.starts.get(first), self.starts.get(first + 1)) {
            (Some(&start), Some(&end)) => &self.seconds[start as usize..end as usize],
            _ => &[],
        }
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.seconds.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.seconds.is_empty()
    }

    /// All pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.starts.len().saturating_sub(1)).flat_map(|i| self.of(i).iter().map(move |&j| (i as u32, j)))
    }

    pub(super) fn clear(&mut self) {
        self.most = usize::MAX;
        self.found.clear();
        self.starts.clear();
        self.seconds.clear();
    }

    pub(super) fn push(&mut self, first: u32, second: u32) {
        if self.found.len() <= self.most {
            self.found.push((first, second));
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.found.len() > self.most
    }

    /// Counting sort by first index, then each short list by itself; repetitions are dropped.
    pub(super) fn sort(&mut self, firsts: usize) {
        self.starts.clear();
        self.starts.resize(firsts + 2, 0);
        for &(first, _) in &self.found {
            self.starts[first as usize + 2] += 1;
        }
        for k in 2..self.starts.len() {
            self.starts[k] += self.starts[k - 1];
        }
        self.seconds.clear();
        self.seconds.resize(self.found.len(), 0);
        // starts[i + 1] is where the next partner of i goes; in the end it is where those of i + 1
        // begin
        for &(first, second) in &self.found {
            let slot = &mut self.starts[first as usize + 1];
            self.seconds[*slot as usize] = second;
            *slot += 1;
        }
        self.starts.pop();
        self.sort_and_compact();
    }

    fn sort_and_compact(&mut self) {
        let mut written = 0;
        for k in 0..self.starts.len() - 1 {
            let (start, end) = (self.starts[k] as usize, self.starts[k + 1] as usize);
            self.seconds[start..end].sort_unstable();
            self.starts[k] = written as u32;
            for read in start..end {
                if read == start || self.seconds[read] != self.seconds[read - 1] {
                    self.seconds[written] = self.seconds[read];
                    written += 1;
                }
            }
        }
        if let Some(last) = self.starts.last_mut() {
            *last = written as u32;
        }
        self.seconds.truncate(written);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_and_without_repetition() {
        let mut list = PairList::default();
        list.clear();
        for (a, b) in [(2, 9), (0, 3), (2, 4), (0, 1), (2, 9), (0, 3), (2, 9), (3, 0)] {
            list.push(a, b);
        }
        list.sort(4);
        assert_eq!(list.iter().collect::<Vec<_>>(), [(0, 1), (0, 3), (2, 4), (2, 9), (3, 0)]);
        assert_eq!(list.of(1), &[] as &[u32]);
        assert_eq!(list.of(77), &[] as &[u32]);
        list.clear();
        list.sort(0);
        assert!(list.is_empty());
    }
}
