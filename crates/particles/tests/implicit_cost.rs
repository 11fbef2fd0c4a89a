//! The work and the memory of an implicit step grow close to linearly with the size of a spring
//! mesh.
//!
//! Operations are counted, not timed: the result is the same on every machine. Times are in
//! `benches/implicit.rs`.

use crate::meshes;

use carom_numerics::elementary::ln;
use carom_particles::Integrator;

/// Slope between the logarithms of the first and the last point.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let (first, last) = (points[0], points[points.len() - 1]);
    ln(last.1 / first.1) / ln(last.0 / first.0)
}

#[test]
fn operations_and_factors_grow_close_to_linearly() {
    let (mut operations, mut entries) = (Vec::new(), Vec::new());
    for side in [10, 32, 100] {
        let mut world = meshes::cloth_world(side, Integrator::LinearizedImplicitEuler);
        let report = world.step();
        assert!(report.status.is_completed());
        let particles = (side * side) as f64;
        operations.push((particles, report.linear_work.operations as f64));
        entries.push((particles, report.linear_work.factor_entries as f64));
    }
    assert!(operations[0].1 > 0.0 && exponent(&operations) < 1.3, "operations {operations:?}");
    assert!(exponent(&entries) < 1.1, "factor entries {entries:?}");
    // No size in between stands out either: a direct factorization is used only while it is cheap.
    for (particles, count) in operations {
        assert!(count < 600.0 * particles, "{count} operations for {particles} particles");
    }
}
