//! Orders of elimination of a symmetric sparse matrix.

/// Where a symmetric matrix has entries: the columns of row i are
/// `columns[starts[i]..starts[i + 1]]`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Graph<'a> {
    pub(crate) starts: &'a [usize],
    pub(crate) columns: &'a [u32],
}

impl Graph<'_> {
    pub(crate) fn size(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    pub(crate) fn row(&self, i: usize) -> &[u32] {
        &self.columns[self.starts[i]..self.starts[i + 1]]
    }

    /// Approximate minimum degree (Amestoy, Davis, Duff, SIAM J. Matrix Anal. Appl. 17, 1996):
    /// `order[k]` is the row that is eliminated as number k.
    pub(crate) fn minimum_degree(&self) -> Vec<u32> {
        let starts: Vec<i64> = self.starts.iter().map(|&start| start as i64).collect();
        let columns: Vec<i64> = self.columns.iter().map(|&column| i64::from(column)).collect();
        match amd::order(self.size() as i64, &starts, &columns, &amd::Control::default()) {
            Ok((order, ..)) => order.iter().map(|&i| i as u32).collect(),
            // Only for an invalid pattern, which ours are not; any order is correct, if slow.
            Err(_) => (0..self.size() as u32).collect(),
        }
    }

    /// Appends all rows that `root` reaches and that are not yet `seen`: level by level, by rising
    /// degree (Cuthill, McKee, "Reducing the bandwidth of sparse symmetric matrices", ACM 1969).
    pub(crate) fn cuthill_mckee(&self, root: u32, seen: &mut [bool], order: &mut Vec<u32>) {
        let degree = |i: u32| self.row(i as usize).len();
        let mut next = order.len();
        seen[root as usize] = true;
        order.push(root);
        while next < order.len() {
            let row = order[next] as usize;
            next += 1;
            let found = order.len();
            for &neighbour in self.row(row) {
                if !seen[neighbour as usize] {
                    seen[neighbour as usize] = true;
                    order.push(neighbour);
                }
            }
            order[found..].sort_unstable_by_key(|&i| (degree(i), i));
        }
    }
}

/// `position[order[k]]` is k.
pub(crate) fn inverse(order: &[u32]) -> Vec<u32> {
    let mut position = vec![0; order.len()];
    order.iter().zip(0..).for_each(|(&i, k)| position[i as usize] = k);
    position
}
