//! Frames for tests: any bits, and small plain ones.
#![allow(dead_code, reason = "each test file uses its own part of this module")]

use carom_trajectory::{
    Contact, ContactKind, Diagnostics, Family, Frame, Header, Impact, Intermediate, Quantities,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// Any 64 bits as a number: NaN with any payload, infinities, -0.0, denormal numbers.
pub(crate) fn any_bits() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => any::<u64>().prop_map(f64::from_bits),
        1 => prop_oneof![Just(-0.0), Just(f64::NAN), Just(f64::INFINITY), Just(f64::NEG_INFINITY), Just(5e-324)],
    ]
}

fn three() -> impl Strategy<Value = [f64; 3]> {
    [any_bits(), any_bits(), any_bits()]
}

fn any_kind() -> impl Strategy<Value = ContactKind> {
    prop_oneof![
        Just(ContactKind::ParticleParticle),
        Just(ContactKind::ParticleEdge),
        Just(ContactKind::ParticleHalfPlane),
        Just(ContactKind::BodyBody),
    ]
}

fn any_contact() -> impl Strategy<Value = Contact> {
    let numbers = [any_bits(), any_bits(), any_bits()];
    (any_kind(), any::<[u32; 2]>(), three(), three(), three(), numbers).prop_map(
        |(kind, [first, second], point, normal, friction, [gap, time, impulse])| Contact {
            kind,
            first,
            second,
            point,
            normal,
            gap,
            time,
            impulse,
            friction,
        },
    )
}

fn any_quantities() -> impl Strategy<Value = Quantities> {
    (any_bits(), any_bits(), three(), three(), any_bits()).prop_map(
        |(kinetic, potential, momentum, angular_momentum, deepest_penetration)| Quantities {
            kinetic,
            potential,
            momentum,
            angular_momentum,
            deepest_penetration,
        },
    )
}

fn any_impact() -> impl Strategy<Value = Impact> {
    let happened = (any_bits(), any_bits(), three(), three()).prop_map(
        |(kinetic_before, kinetic_after, momentum_change, angular_momentum_change)| Impact::Happened {
            kinetic_before,
            kinetic_after,
            momentum_change,
            angular_momentum_change,
        },
    );
    prop_oneof![1 => Just(Impact::Unknown), 1 => Just(Impact::None), 3 => happened]
}

fn any_diagnostics() -> impl Strategy<Value = Diagnostics> {
    let counts = [prop::option::of(any::<u32>()), prop::option::of(any::<u32>())];
    (any::<[u32; 3]>(), any_bits(), counts, any_impact()).prop_map(
        |([status, iterations, active_contacts], residual, [contact_rows, largest_island], impact)| {
            Diagnostics {
                status,
                iterations,
                residual,
                active_contacts,
                contact_rows,
                largest_island,
                impact,
            }
        },
    )
}

/// Any frame with this many numbers in its positions.
pub(crate) fn any_frame(numbers: usize) -> impl Strategy<Value = Frame> {
    let state = || vec(any_bits(), numbers);
    let inner = prop::option::of((state(), state()));
    (
        (any::<u64>(), any_bits(), state(), state()),
        any_quantities(),
        vec(any_contact(), 0..4),
        any_diagnostics(),
        inner,
        vec(any_bits(), 0..4),
    )
        .prop_map(
            |((step, time, positions, velocities), quantities, contacts, diagnostics, inner, memory)| Frame {
                step,
                time,
                positions,
                velocities,
                quantities,
                contacts,
                diagnostics,
                intermediate: inner.map(|(positions, velocities)| Intermediate { positions, velocities }),
                memory,
            },
        )
}

/// Everything in a frame as bits: equal exactly when the frames are.
pub(crate) fn bits(frame: &Frame) -> Vec<u64> {
    let mut out = vec![frame.step, frame.time.to_bits()];
    let mut put = |name: u64, numbers: &[f64]| {
        out.push(name);
        out.push(numbers.len() as u64);
        out.extend(numbers.iter().map(|x| x.to_bits()));
    };
    put(1, &frame.positions);
    put(2, &frame.velocities);
    let q = &frame.quantities;
    put(3, &[q.kinetic, q.potential, q.deepest_penetration]);
    put(4, &q.momentum);
    put(5, &q.angular_momentum);
    let d = &frame.diagnostics;
    put(6, &[d.status.into(), d.iterations.into(), d.residual, d.active_contacts.into()]);
    let counts = [d.contact_rows, d.largest_island].map(|count| count.map_or(-1.0, f64::from));
    put(13, &counts);
    let kind = match d.impact {
        Impact::Unknown => 0.0,
        Impact::None => 1.0,
        Impact::Happened { .. } => 2.0,
    };
    put(14, &[kind]);
    put(15, &d.impact.kinetic());
    put(16, &d.impact.momentum_change());
    put(17, &d.impact.angular_momentum_change());
    for c in &frame.contacts {
        put(7, &[c.kind as u8 as f64, c.first.into(), c.second.into(), c.time, c.impulse]);
        put(8, &c.point);
        put(9, &c.normal);
        put(18, &[c.gap]);
        put(19, &c.friction);
    }
    if let Some(inner) = &frame.intermediate {
        put(10, &inner.positions);
        put(11, &inner.velocities);
    }
    put(12, &frame.memory);
    out
}

/// A small header of a run of particles.
pub(crate) fn header(bodies: u64) -> Header {
    Header::new(Family::Particles, bodies, 0.1, "two.xml", "<scene>\u{3b8}</scene>")
}

/// A plain frame of two particles; every third has a contact and its impact, the next knows that
/// there was none, every fourth has an intermediate state and memory.
pub(crate) fn plain_frame(step: u64) -> Frame {
    let s = step as f64;
    let mut frame = Frame {
        step,
        time: 0.1 * s,
        positions: vec![s, 0.5 - s, 2.0 * s, -0.0],
        velocities: vec![1.0 / (s + 1.0), 3.0, -s, 0.25],
        quantities: Quantities {
            kinetic: s * s,
            potential: -s,
            momentum: [s, 1.0, 0.0],
            angular_momentum: [0.0, 0.0, s],
            deepest_penetration: 1e-9 * s,
        },
        diagnostics: Diagnostics { iterations: 7, residual: 1e-12, ..Diagnostics::default() },
        ..Frame::default()
    };
    if step % 3 == 1 {
        frame.contacts.push(Contact {
            kind: ContactKind::ParticleParticle,
            first: 0,
            second: 1,
            point: [s, 0.0, 0.0],
            normal: [1.0, s, 0.0],
            time: 0.5,
            impulse: 2.0,
            gap: -0.5,
            friction: [0.0, s, 0.0],
        });
        frame.diagnostics.contact_rows = Some(9);
        frame.diagnostics.largest_island = Some(4);
        frame.diagnostics.impact = Impact::Happened {
            kinetic_before: 3.0 + s,
            kinetic_after: 2.0,
            momentum_change: [0.5, -s, 0.0],
            angular_momentum_change: [0.0, 0.0, 0.1 * s],
        };
    }
    if step % 3 == 2 {
        frame.diagnostics.contact_rows = Some(0);
        frame.diagnostics.impact = Impact::None;
    }
    if step % 4 == 1 {
        let inner = Intermediate { positions: vec![s; 4], velocities: vec![-s; 4] };
        frame.intermediate = Some(inner);
        frame.memory = vec![s, 0.1];
    }
    frame
}
