//! Two by two blocks and vectors of two, written out.

/// A two by two matrix, row by row.
pub type Block = [f64; 4];

/// Zero.
pub const ZERO: Block = [0.0; 4];
/// One.
pub const IDENTITY: Block = [1.0, 0.0, 0.0, 1.0];

/// a b.
#[inline]
pub(super) fn product(a: Block, b: Block) -> Block {
    [
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
    ]
}

/// target −= a b.
#[inline]
pub(super) fn subtract_product(target: &mut Block, a: Block, b: Block) {
    let change = product(a, b);
    for i in 0..4 {
        target[i] -= change[i];
    }
}

/// a x.
#[inline]
pub(super) fn apply(a: Block, x: [f64; 2]) -> [f64; 2] {
    [a[0] * x[0] + a[1] * x[1], a[2] * x[0] + a[3] * x[1]]
}

/// target −= a x.
#[inline]
pub(super) fn subtract_apply(target: &mut [f64; 2], a: Block, x: [f64; 2]) {
    let change = apply(a, x);
    target[0] -= change[0];
    target[1] -= change[1];
}

/// Largest entry by size; infinite if one is not a number.
#[inline]
pub(super) fn size(a: Block) -> f64 {
    a.iter().fold(
        0.0,
        |largest: f64, entry| if entry.is_nan() { f64::INFINITY } else { largest.max(entry.abs()) },
    )
}

/// Inverse by elimination with its largest entry as pivot. `None` if the block is singular or so
/// near it that the inverse, times `scale`, would exceed `largest_growth`; also if it is not
/// finite.
#[inline]
pub(super) fn inverse(a: Block, scale: f64, largest_growth: f64) -> Option<Block> {
    // Bring the largest entry to the upper left by exchanging rows (r) and columns (c), both their
    // own inverse.
    let mut pivot = 0;
    for i in 1..4 {
        if a[i].abs() > a[pivot].abs() {
            pivot = i;
        }
    }
    let (r, c) = (pivot & 2, pivot & 1);
    let at = |i: usize, j: usize| a[((2 * i) ^ r) + (j ^ c)];
    let below = at(1, 0) / at(0, 0);
    let rest = at(1, 1) - below * at(0, 1);
    let right = at(0, 1) / at(0, 0);
    let lower_right = 1.0 / rest;
    let inverse = [
        1.0 / at(0, 0) + right * lower_right * below,
        -right * lower_right,
        -lower_right * below,
        lower_right,
    ];
    // The inverse of P A Q is Q⁻¹ A⁻¹ P⁻¹: rows are exchanged by c, columns by r.
    let back = |i: usize, j: usize| inverse[((2 * i) ^ (2 * c)) + (j ^ (r / 2))];
    let result = [back(0, 0), back(0, 1), back(1, 0), back(1, 1)];
    (size(result) * scale <= largest_growth).then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn singular_blocks_have_no_inverse() {
        for block in [ZERO, [1.0, 2.0, 2.0, 4.0], [f64::NAN, 0.0, 0.0, 1.0], [f64::INFINITY; 4]] {
            assert_eq!(inverse(block, 1.0, 1e12), None);
        }
    }

    proptest! {
        #[test]
        fn a_block_times_its_inverse_is_one(a in proptest::array::uniform4(-1.0..1.0f64)) {
            if let Some(b) = inverse(a, 1.0, 1e3) {
                for (entry, expected) in product(a, b).iter().zip(IDENTITY) {
                    prop_assert!((entry - expected).abs() < 1e-12);
                }
            } else {
                prop_assert!((a[0] * a[3] - a[1] * a[2]).abs() < 2e-3);
            }
        }
    }
}
