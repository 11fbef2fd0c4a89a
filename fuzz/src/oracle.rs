//! What every step must keep, whatever it is called, and what a step that is called solved must
//! keep besides.

use carom::{Frame, Impact, StepStatus};

/// What the judge must know of a world beside its frames.
pub(crate) struct World {
    /// Of all bodies that can move.
    pub(crate) mass: f64,
    /// Least size of a body.
    pub(crate) size: f64,
    /// Along the last axis.
    pub(crate) gravity: f64,
    pub(crate) dt: f64,
    /// Coulomb's coefficient.
    pub(crate) friction: f64,
    /// Nothing is fixed: momentum is kept but for gravity.
    pub(crate) free: bool,
    /// Bodies turn about axes that are no principal ones: their flight keeps energy to the order of
    /// the integrator only.
    pub(crate) tumbles: bool,
    /// The status promises a residual: not that of `impulse`, which serves contacts one after the
    /// other.
    pub(crate) promises: bool,
}

/// Rounding, as a part of what there is.
const ROUNDING: f64 = 1e-6;

/// Compares two frames that one step lies between.
pub(crate) fn judge(world: &World, before: &Frame, after: &Frame) -> Result<(), String> {
    let finite = after.positions.iter().chain(&after.velocities).all(|number| number.is_finite());
    if !finite {
        return Err("numbers that are not finite were not reported".to_owned());
    }
    contacts(world, after)?;
    momentum(world, before, after)?;
    if StepStatus::from_code(after.diagnostics.status) == StepStatus::Solved {
        energy(world, before, after)?;
        certificate(world, before, after)?;
    }
    Ok(())
}

/// Contacts push, along unit normals, with friction inside its cone.
fn contacts(world: &World, after: &Frame) -> Result<(), String> {
    for contact in &after.contacts {
        let (length, friction) = (norm(contact.normal), norm(contact.friction));
        if (length - 1.0).abs() > ROUNDING {
            return Err(format!("a normal of length {length}"));
        }
        if contact.impulse.is_nan() || contact.impulse < 0.0 {
            return Err(format!("an impulse of {}", contact.impulse));
        }
        let most = world.friction * contact.impulse;
        if friction > most + ROUNDING * contact.impulse {
            return Err(format!("friction {friction} where {most} is the most"));
        }
    }
    Ok(())
}

/// Contacts among bodies that can move change no momentum.
fn momentum(world: &World, before: &Frame, after: &Frame) -> Result<(), String> {
    // A step that ends early, with a status, gives less of gravity.
    let ends_early = StepStatus::from_code(after.diagnostics.status) != StepStatus::Solved;
    if !world.free || (ends_early && world.gravity != 0.0) {
        return Ok(());
    }
    let fall = world.mass * world.gravity * world.dt;
    let up = up(after);
    let scale = speed(world, before).max(speed(world, after)) * world.mass;
    for k in 0..3 {
        let forced = if k == up { fall } else { 0.0 };
        let change = after.quantities.momentum[k] - before.quantities.momentum[k] - forced;
        if change.abs() > ROUNDING * scale {
            return Err(format!("momentum {k} changed by {change} of {scale}"));
        }
    }
    Ok(())
}

/// No speed of the frame that contacts could exchange is larger: √(2 E / m) is one of all bodies
/// together.
fn speed(world: &World, frame: &Frame) -> f64 {
    let of_energy = (2.0 * frame.quantities.kinetic / world.mass.max(f64::MIN_POSITIVE)).sqrt();
    of_energy + world.gravity.abs() * world.dt
}

/// Contacts give no energy; without gravity kinetic energy only falls.
fn energy(world: &World, before: &Frame, after: &Frame) -> Result<(), String> {
    if let Impact::Happened { kinetic_before, kinetic_after, .. } = after.diagnostics.impact
        && kinetic_after > kinetic_before * (1.0 + ROUNDING) + f64::MIN_POSITIVE
    {
        return Err(format!("solved, and contacts gave energy: {kinetic_before} to {kinetic_after}"));
    }
    let (was, is) = (before.quantities.kinetic, after.quantities.kinetic);
    if world.gravity == 0.0 && !world.tumbles && is > was * (1.0 + ROUNDING) + f64::MIN_POSITIVE {
        return Err(format!("solved, and gains energy: {was} to {is}"));
    }
    Ok(())
}

/// The residual is what the word promises, and what did not overlap does not.
fn certificate(world: &World, before: &Frame, after: &Frame) -> Result<(), String> {
    let (residual, scale) = (after.diagnostics.residual, fastest(before) + world.gravity.abs() * world.dt);
    if world.promises && (residual.is_nan() || residual > ROUNDING * scale) {
        return Err(format!("solved, with a residual of {residual} at speeds of {scale}"));
    }
    let (was, is) = (before.quantities.deepest_penetration, after.quantities.deepest_penetration);
    let deepest = if up(after) == 2 { DEEPEST_IN_3D } else { DEEPEST };
    if was <= ROUNDING * world.size && is > deepest * world.size {
        return Err(format!("solved, and bodies that were apart overlap by {is}"));
    }
    Ok(())
}

/// Overlap that a solved step may leave of bodies that did not overlap, as a part of the smallest.
const DEEPEST: f64 = 1e-2;
/// Spatial bodies that friction turns fast (a gram between kilograms) end the step with overlaps
/// that rotation made.
const DEEPEST_IN_3D: f64 = 1.0;

/// The axis of gravity: the last of the space, which positions and velocities tell (7 and 6 numbers
/// a body).
fn up(frame: &Frame) -> usize {
    if 6 * frame.positions.len() == 7 * frame.velocities.len() { 2 } else { 1 }
}

fn fastest(frame: &Frame) -> f64 {
    frame.velocities.iter().fold(0.0, |most, v| v.abs().max(most))
}

fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}
