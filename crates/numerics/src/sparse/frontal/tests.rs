use super::*;

/// A small linear congruential generator: tests need no more.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64) / ((1u64 << 53) as f64) - 0.5
    }
}

fn random_pattern(n: usize, density: f64, random: &mut Random) -> Pattern {
    let mut joined = vec![vec![false; n]; n];
    for i in 0..n {
        joined[i][i] = true;
        for j in 0..i {
            if random.next() + 0.5 < density {
                joined[i][j] = true;
                joined[j][i] = true;
            }
        }
    }
    let mut pattern = Pattern { starts: vec![0], ..Pattern::default() };
    for row in &joined {
        pattern.columns.extend((0..n).filter(|&j| row[j]).map(|j| j as u32));
        pattern.starts.push(pattern.columns.len());
    }
    pattern.find_mirrors();
    pattern
}

#[test]
fn solves_what_a_dense_product_made() {
    let mut random = Random(7);
    let mut lu = FrontalLu::default();
    for case in 0..200 {
        let n = 1 + case % 60;
        let pattern = random_pattern(n, 0.02 + 0.3 * (case % 7) as f64 / 7.0, &mut random);
        let sizes: Vec<u8> = (0..n).map(|_| ((random.next() + 0.5) * 3.999) as u8).collect();
        let values: Vec<SmallBlock> =
            pattern.columns.iter().map(|_| std::array::from_fn(|_| random.next())).collect();
        let offsets: Vec<usize> = (0..=n).map(|i| sizes[..i].iter().map(|&s| usize::from(s)).sum()).collect();
        let total = offsets[n];
        let wanted: Vec<f64> = (0..total).map(|_| random.next()).collect();
        let mut x = vec![0.0; total];
        let entry = |i: usize, j: usize, e: usize, r: usize, c: usize| {
            values[e][3 * r + c] + if i == j && r == c { 8.0 } else { 0.0 }
        };
        for i in 0..n {
            for e in pattern.row(i) {
                let j = pattern.columns[e] as usize;
                for r in 0..usize::from(sizes[i]) {
                    for c in 0..usize::from(sizes[j]) {
                        x[offsets[i] + r] += entry(i, j, e, r, c) * wanted[offsets[j] + c];
                    }
                }
            }
        }
        lu.analyze(&pattern);
        lu.factor(&pattern, &sizes, 1e-14, |i, j, e, block| {
            let (rows, columns) = (usize::from(sizes[i]), usize::from(sizes[j]));
            for r in 0..rows {
                for c in 0..columns {
                    block[r * columns + c] = entry(i, j, e, r, c);
                }
            }
        });
        assert_eq!(lu.replaced_pivots(), 0);
        lu.solve(&mut x);
        for (x, wanted) in x.iter().zip(&wanted) {
            assert!((x - wanted).abs() < 1e-9, "case {case}: {x} instead of {wanted}");
        }
    }
}

#[test]
fn one_front_exchanges_rows() {
    // A zero on the diagonal: without row exchanges this would divide by it.
    let mut pattern = Pattern { starts: vec![0, 2, 4], columns: vec![0, 1, 0, 1], mirror: Vec::new() };
    pattern.find_mirrors();
    let mut lu = FrontalLu::default();
    lu.analyze(&pattern);
    lu.factor(&pattern, &[1, 1], 1e-14, |i, j, _, block| block[0] = if i == j { 0.0 } else { 2.0 });
    let mut x = [2.0, 4.0];
    lu.solve(&mut x);
    assert_eq!(x, [2.0, 1.0]);
}

#[test]
fn a_singular_matrix_replaces_pivots() {
    let pattern = Pattern { starts: vec![0, 1], columns: vec![0], mirror: vec![0] };
    let mut lu = FrontalLu::default();
    lu.analyze(&pattern);
    lu.factor(&pattern, &[2], 1e-14, |_, _, _, block| block[..4].fill(1.0));
    assert_eq!(lu.replaced_pivots(), 1);
    let mut x = [1.0, 1.0];
    lu.solve(&mut x);
    assert!((x[0] + x[1] - 1.0).abs() < 1e-12);
}
