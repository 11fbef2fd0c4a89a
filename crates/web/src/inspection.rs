//! The numbers of one body, for people who click on it.

use crate::engine::Engine;
use crate::motion::Motion;
use serde_json::{Value, json};

/// Mass, place, speed, energy and what touches a body; nothing when there is no such body.
pub(crate) fn of_body(engine: &Engine, body: usize) -> Option<Value> {
    let (scene, frame) = (engine.scene(), engine.frame());
    let motion = Motion::of(engine.family(), frame, body)?;
    let (masses, inertias) = engine.mass_properties();
    let mass = masses.get(body).copied().unwrap_or(f64::NAN);
    let inertia = if inertias.len() == masses.len() { inertias.get(body).copied() } else { None };
    let square = |v: [f64; 3]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    let turning = match inertias.get(6 * body..6 * body + 6) {
        // Spatial: Ixx Iyy Izz Ixy Iyz Izx in body axes, ½ ω·Iω.
        Some(&[xx, yy, zz, xy, yz, zx]) if inertias.len() == 6 * masses.len() => {
            let [x, y, z] = motion.spin_in_body_axes();
            0.5 * (xx * x * x + yy * y * y + zz * z * z) + xy * x * y + yz * y * z + zx * z * x
        }
        _ => 0.5 * inertia.unwrap_or(0.0) * square(motion.spin),
    };
    let kinetic = 0.5 * mass * square(motion.velocity) + turning;
    let contacts: Vec<Value> = frame
        .contacts
        .iter()
        .enumerate()
        .filter(|(_, contact)| contact.members(|edge| scene.edge_ends(edge)).any(|member| member == body))
        .map(|(index, contact)| {
            json!({
                "index": index, "kind": contact.kind.name(), "first": contact.first, "second": contact.second,
                "gap": contact.gap, "impulse": contact.impulse, "point": contact.point,
            })
        })
        .collect();
    let free = scene.movable().get(body).copied().unwrap_or(false);
    Some(json!({
        "body": body, "free": free, "mass": mass, "inertia": inertia,
        "position": motion.position, "angle": motion.angle, "velocity": motion.velocity, "spin": motion.spin,
        "speed": square(motion.velocity).sqrt(), "kinetic": kinetic,
        "momentum": motion.velocity.map(|v| mass * v), "contacts": contacts,
    }))
}
