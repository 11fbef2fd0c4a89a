//! Changes of the forces of a scene of particles: left out, reversed, or with another factor.

use carom_scene::description::particles::{self, ParticleScene, Response};

/// A change of a scene, by the name of what it is about.
pub(super) type Change = (&'static str, fn(&mut ParticleScene));

pub(super) fn left_out() -> [Change; 7] {
    [
        ("springs", |s| s.forces.springs.clear()),
        ("gravity", |s| s.forces.gravities.clear()),
        ("gravitation", |s| s.forces.gravitations.clear()),
        ("the constant force", |s| s.forces.constants.clear()),
        ("drag", |s| s.forces.drags.clear()),
        ("the vortex force", |s| s.forces.vortices.clear()),
        ("the penalty force", |s| {
            if let Response::Penalty(penalty) | Response::Hybrid { penalty, .. } = &mut s.collision.response {
                *penalty = particles::Penalty { stiffness: 0.0, ..*penalty };
            }
        }),
    ]
}

pub(super) fn reversed() -> [Change; 6] {
    [
        ("springs", |s| s.forces.springs.iter_mut().for_each(|x| x.stiffness = -x.stiffness)),
        ("the damping of springs", |s| s.forces.springs.iter_mut().for_each(|x| x.damping = -x.damping)),
        ("gravity", |s| s.forces.gravities.iter_mut().for_each(|g| *g = [-g[0], -g[1]])),
        ("gravitation", |s| s.forces.gravitations.iter_mut().for_each(|g| g.constant = -g.constant)),
        ("drag", |s| s.forces.drags.iter_mut().for_each(|b| *b = -*b)),
        ("the penalty force", |s| {
            if let Response::Penalty(penalty) | Response::Hybrid { penalty, .. } = &mut s.collision.response {
                penalty.stiffness = -penalty.stiffness;
            }
        }),
    ]
}

/// Every force times a number.
pub(super) fn scaled(scene: &mut ParticleScene, force: &str, factor: f64) {
    let forces = &mut scene.forces;
    match force {
        "springs" => forces.springs.iter_mut().for_each(|x| x.stiffness *= factor),
        "the damping of springs" => forces.springs.iter_mut().for_each(|x| x.damping *= factor),
        "gravity" => forces.gravities.iter_mut().flatten().for_each(|g| *g *= factor),
        "gravitation" => forces.gravitations.iter_mut().for_each(|g| g.constant *= factor),
        "the constant force" => forces.constants.iter_mut().flatten().for_each(|f| *f *= factor),
        "drag" => forces.drags.iter_mut().for_each(|b| *b *= factor),
        _ => {
            if let Response::Penalty(penalty) | Response::Hybrid { penalty, .. } =
                &mut scene.collision.response
            {
                penalty.stiffness *= factor;
            }
        }
    }
}

/// What [`scaled`] takes.
pub(super) const FORCES: [&str; 7] = [
    "springs",
    "the damping of springs",
    "gravity",
    "gravitation",
    "the constant force",
    "drag",
    "the penalty force",
];

/// Factors that are easily forgotten or doubled.
pub(super) const FACTORS: [(f64, &str); 2] = [(2.0, "twice"), (0.5, "half of")];
