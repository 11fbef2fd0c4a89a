//! The Delassus matrix of an island of the step, in buffers that are used again.

use super::Problem;
use super::rows::{ConeRows, NEVER};

/// An island with more blocks than this, 150 MB in 3D, is not assembled.
const MOST_BLOCKS: usize = 2_000_000;

/// A problem that is written from rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assembly {
    pub(crate) problem: Problem,
    /// Contacts of the rows that the problem has: those that can be reached at all.
    contacts: Vec<u32>,
    /// Contacts of the problem at each degree of freedom, compressed.
    starts: Vec<u32>,
    touching: Vec<u32>,
    /// The contact that a contact was last listed for.
    mark: Vec<u32>,
    /// Rows of one contact, by degree of freedom.
    dense: Vec<[f64; 3]>,
}

impl Assembly {
    /// Writes W and q. False if W is too large.
    pub(crate) fn load(&mut self, rows: &ConeRows) -> bool {
        let p = &mut self.problem;
        self.contacts.clear();
        p.cones.clear();
        p.offsets.clear();
        p.q.clear();
        for (i, &cone) in rows.cones.iter().enumerate() {
            let range = rows.range(i);
            if rows.q[range.start] < NEVER {
                self.contacts.push(i as u32);
                p.cones.push(cone);
                p.offsets.push(p.q.len() as u32);
                p.q.extend_from_slice(&rows.q[range]);
            }
        }
        p.offsets.push(p.q.len() as u32);
        self.find_touching(rows);
        self.find_pattern(rows) && {
            self.write_blocks(rows);
            true
        }
    }

    /// Impulses of the problem from those of the rows.
    pub(crate) fn gather(&self, rows: &ConeRows, r: &mut Vec<f64>) {
        r.clear();
        for &i in &self.contacts {
            r.extend_from_slice(&rows.r[rows.range(i as usize)]);
        }
    }

    /// Impulses of the rows from those of the problem.
    pub(crate) fn scatter(&self, r: &[f64], rows: &mut ConeRows) {
        rows.r.fill(0.0);
        for (k, &i) in self.contacts.iter().enumerate() {
            let range = rows.range(i as usize);
            rows.r[range].copy_from_slice(&r[self.problem.range(k)]);
        }
    }

    fn find_touching(&mut self, rows: &ConeRows) {
        let freedoms = rows.rows.columns();
        self.starts.clear();
        self.starts.resize(freedoms + 2, 0);
        // Twice: to count, and to fill. A contact's rows mostly have the same columns.
        for fill in [false, true] {
            self.mark.clear();
            self.mark.resize(freedoms, u32::MAX);
            for (k, &i) in self.contacts.iter().enumerate() {
                for row in rows.range(i as usize) {
                    for &column in rows.rows.row(row).column {
                        let column = column as usize;
                        if std::mem::replace(&mut self.mark[column], k as u32) == k as u32 {
                            continue;
                        }
                        if fill {
                            let cursor = &mut self.starts[column + 1];
                            self.touching[*cursor as usize] = k as u32;
                            *cursor += 1;
                        } else {
                            self.starts[column + 2] += 1;
                        }
                    }
                }
            }
            if !fill {
                for column in 2..freedoms + 2 {
                    self.starts[column] += self.starts[column - 1];
                }
                self.touching.clear();
                self.touching.resize(self.starts[freedoms + 1] as usize, 0);
            }
        }
    }

    fn find_pattern(&mut self, rows: &ConeRows) -> bool {
        let p = &mut self.problem;
        p.pattern.starts.clear();
        p.pattern.starts.push(0);
        p.pattern.columns.clear();
        p.blocks.clear();
        self.mark.clear();
        self.mark.resize(self.contacts.len(), u32::MAX);
        let mut size = 0;
        for (k, &i) in self.contacts.iter().enumerate() {
            let first = p.pattern.columns.len();
            for row in rows.range(i as usize) {
                for &column in rows.rows.row(row).column {
                    let range = self.starts[column as usize]..self.starts[column as usize + 1];
                    for &other in &self.touching[range.start as usize..range.end as usize] {
                        if std::mem::replace(&mut self.mark[other as usize], k as u32) != k as u32 {
                            p.pattern.columns.push(other);
                        }
                    }
                }
            }
            if p.pattern.columns.len() == first {
                p.pattern.columns.push(k as u32);
            }
            if p.pattern.columns.len() > MOST_BLOCKS {
                return false;
            }
            p.pattern.columns[first..].sort_unstable();
            for &other in &p.pattern.columns[first..] {
                p.blocks.push(size);
                size += (p.cones[k].dim() * p.cones[other as usize].dim()) as u32;
            }
            p.pattern.starts.push(p.pattern.columns.len());
        }
        p.blocks.push(size);
        p.values.clear();
        p.values.resize(size as usize, 0.0);
        p.pattern.find_mirrors();
        p.find_diagonals();
        true
    }

    /// Blocks above the diagonal, and their mirrors below it: W is symmetric to the last bit.
    fn write_blocks(&mut self, rows: &ConeRows) {
        let Self { problem: p, contacts, dense, .. } = self;
        dense.clear();
        dense.resize(rows.rows.columns(), [0.0; 3]);
        for k in 0..contacts.len() {
            let range = rows.range(contacts[k] as usize);
            let height = range.len();
            for (a, row) in range.clone().enumerate() {
                let row = rows.rows.row(row);
                for (&column, &eta) in row.column.iter().zip(row.eta) {
                    dense[column as usize][a] = eta;
                }
            }
            for entry in p.pattern.row(k) {
                let other = p.pattern.columns[entry] as usize;
                if other < k {
                    continue;
                }
                let across = rows.range(contacts[other] as usize);
                let width = across.len();
                let (at, mirror) = (p.blocks[entry], p.blocks[p.pattern.mirror[entry] as usize]);
                for (b, row) in across.enumerate() {
                    let row = rows.rows.row(row);
                    let mut sum = [0.0; 3];
                    for (&column, &scaled) in row.column.iter().zip(row.scaled) {
                        let eta = &dense[column as usize];
                        (0..3).for_each(|a| sum[a] += eta[a] * scaled);
                    }
                    for a in 0..height {
                        // Of a block on the diagonal only what lies above it, and its mirror.
                        if other > k || a <= b {
                            p.values[at as usize + a * width + b] = sum[a];
                            p.values[mirror as usize + b * height + a] = sum[a];
                        }
                    }
                }
            }
            for row in range {
                for &column in rows.rows.row(row).column {
                    dense[column as usize] = [0.0; 3];
                }
            }
        }
    }
}
