//! The tags of each kind of body.

use crate::scenes::{Body, Setting, Shape, Tags};

/// Walls of the plane are thick sticks, long compared with everything else.
const WALL: [f64; 2] = [50.0, 0.1];

/// Outlines of planar boxes are rounded by this part of their smaller half.
const ROUNDING: f64 = 0.04;

/// `COR`, `mu` and what single methods need: `penalty` has springs instead of a restitution, and
/// `hybrid` repels within its thickness by design.
fn handling(response: &str, setting: &Setting) -> String {
    let thickness = 1e-9 * setting.length.min(1.0);
    let own = match response {
        "penalty" => " k=\"20000\" thickness=\"0.005\"".to_owned(),
        "hybrid" => format!(" COR=\"{:?}\" thickness=\"{thickness:?}\"", setting.restitution),
        _ => format!(" COR=\"{:?}\"", setting.restitution),
    };
    if setting.friction > 0.0 { format!("{own} mu=\"{:?}\"", setting.friction) } else { own }
}

pub(crate) fn particles(response: &str, setting: &Setting, bodies: &[Body], tags: &mut Tags) {
    let (dt, integrator, [gx, gy]) = (setting.dt, setting.integrator, setting.gravity);
    let handling = handling(response, setting);
    tags.push(format_args!("<integrator type=\"{integrator}\" dt=\"{dt:?}\"/>"));
    tags.push(format_args!("<simplegravity fx=\"{gx:?}\" fy=\"{gy:?}\"/>"));
    tags.push(format_args!("<collision type=\"{response}\"{handling}/>"));
    for body in bodies {
        let ([x, y], [vx, vy], mass) = (body.at, body.velocity, body.mass);
        let fixed = u8::from(body.fixed || body.driven);
        let mut particle = |x: f64, radius: f64| {
            tags.push(format_args!(
                "<particle m=\"{mass:?}\" px=\"{x:?}\" py=\"{y:?}\" vx=\"{vx:?}\" vy=\"{vy:?}\" \
                 fixed=\"{fixed}\" radius=\"{radius:?}\"/>"
            ));
            tags.bodies += 1;
        };
        match body.shape {
            Shape::Ball(radius) => particle(x, radius),
            Shape::Bar([long, thick]) => {
                particle(x - long, thick);
                particle(x + long, thick);
                let [i, j] = [tags.bodies - 2, tags.bodies - 1];
                tags.push(format_args!("<edge i=\"{i}\" j=\"{j}\" radius=\"{thick:?}\"/>"));
            }
            Shape::Wall([nx, ny]) | Shape::HalfPlane([nx, ny]) => tags.push(format_args!(
                "<halfplane px=\"{x:?}\" py=\"{y:?}\" nx=\"{nx:?}\" ny=\"{ny:?}\" vx=\"{vx:?}\" vy=\"{vy:?}\"/>"
            )),
            // No case has boxes of particles: one would be refused as a scene without bodies.
            Shape::Box(_) => {}
        }
    }
}

pub(crate) fn planar(response: &str, setting: &Setting, bodies: &[Body], tags: &mut Tags) {
    let (dt, integrator, [gx, gy]) = (setting.dt, setting.integrator, setting.gravity);
    let handling = handling(response, setting);
    tags.push(format_args!("<simtype type=\"rigid-body\"/>"));
    tags.push(format_args!("<rigidbodyintegrator type=\"{integrator}\" dt=\"{dt:?}\"/>"));
    tags.push(format_args!("<rigidbodygravityforce fx=\"{gx:?}\" fy=\"{gy:?}\"/>"));
    tags.push(format_args!(
        "<rigidbodycollisionhandling detection=\"all-pairs\" response=\"{response}\"{handling}/>"
    ));
    for body in bodies {
        let ([x, y], [vx, vy], fixed) = (body.at, body.velocity, u8::from(body.fixed));
        match body.shape {
            Shape::Ball(radius) => tags.push(format_args!(
                "<rigidbodydisc x=\"{x:?}\" y=\"{y:?}\" radius=\"{radius:?}\" m=\"{:?}\" vx=\"{vx:?}\" \
                 vy=\"{vy:?}\" omega=\"{:?}\" fixed=\"{fixed}\"/>",
                body.mass, body.spin
            )),
            Shape::Box([a, b]) => {
                let round = ROUNDING * a.min(b);
                let (a, b) = (a - round, b - round);
                outline(body, &[[-a, -b], [a, -b], [a, b], [-a, b]], round, tags);
            }
            Shape::Bar([long, thick]) => outline(body, &[[-long, 0.0], [long, 0.0]], thick, tags),
            Shape::Wall([nx, ny]) => {
                let [long, thick] = WALL.map(|part| part * setting.length);
                let ends = [-long, long].map(|along| [along * ny - thick * nx, -along * nx - thick * ny]);
                outline(body, &ends, thick, tags);
            }
            Shape::HalfPlane([nx, ny]) => tags.push(format_args!(
                "<rigidbodyhalfplane x=\"{x:?}\" y=\"{y:?}\" nx=\"{nx:?}\" ny=\"{ny:?}\"/>"
            )),
        }
        if body.driven {
            let (index, spin) = (tags.bodies, body.spin);
            tags.push(format_args!(
                "<rigidbodyuniformmotion body=\"{index}\" vx=\"{vx:?}\" vy=\"{vy:?}\" omega=\"{spin:?}\"/>"
            ));
        }
        tags.bodies += 1;
    }
}

/// A planar body through points given about its centre, its mass shared by its vertices.
fn outline(body: &Body, points: &[[f64; 2]], round: f64, tags: &mut Tags) {
    let mass = body.mass / points.len() as f64;
    let mut corners = String::new();
    for [along, across] in points {
        let x = body.at[0] + body.turn.cos * along - body.turn.sin * across;
        let y = body.at[1] + body.turn.sin * along + body.turn.cos * across;
        tags.push(format_args!("<rigidbodyvertex x=\"{x:?}\" y=\"{y:?}\" m=\"{mass:?}\"/>"));
        corners += &format!(" p=\"{}\"", tags.vertices);
        tags.vertices += 1;
    }
    let ([vx, vy], spin, fixed) = (body.velocity, body.spin, u8::from(body.fixed));
    tags.push(format_args!(
        "<rigidbody{corners} vx=\"{vx:?}\" vy=\"{vy:?}\" omega=\"{spin:?}\" r=\"{round:?}\" fixed=\"{fixed}\"/>"
    ));
}

pub(crate) fn spatial(response: &str, setting: &Setting, bodies: &[Body], tags: &mut Tags) {
    let (dt, integrator, [gx, gz]) = (setting.dt, setting.integrator, setting.gravity);
    let handling = handling(response, setting);
    tags.push(format_args!("<simtype type=\"rigid-body-3d\"/>"));
    tags.push(format_args!("<rigidbody3dintegrator type=\"{integrator}\" dt=\"{dt:?}\"/>"));
    tags.push(format_args!("<rigidbody3dgravityforce fx=\"{gx:?}\" fz=\"{gz:?}\"/>"));
    tags.push(format_args!("<rigidbody3dcollisionhandling response=\"{response}\"{handling}/>"));
    for body in bodies {
        let ([x, z], [vx, vz], fixed) = (body.at, body.velocity, u8::from(body.fixed));
        // Counter-clockwise with x to the right and z up is a turn against y.
        let (turn, spin) = (-body.turn.angle, -body.spin);
        let motion = format!(
            "x=\"{x:?}\" z=\"{z:?}\" vx=\"{vx:?}\" vz=\"{vz:?}\" ry=\"{turn:?}\" omegay=\"{spin:?}\" \
             m=\"{:?}\" fixed=\"{fixed}\"",
            body.mass
        );
        match body.shape {
            Shape::Ball(radius) => {
                tags.push(format_args!("<rigidbody3dsphere radius=\"{radius:?}\" {motion}/>"));
            }
            Shape::Box([a, c]) | Shape::Bar([a, c]) => {
                // A box is as deep as wide; a plate is deep enough for everything that falls on it.
                let deep = if let Shape::Bar(_) = body.shape { setting.length } else { a };
                let [a, b, c] = [2.0 * a, 2.0 * deep, 2.0 * c];
                tags.push(format_args!("<rigidbody3dbox a=\"{a:?}\" b=\"{b:?}\" c=\"{c:?}\" {motion}/>"));
            }
            Shape::Wall([nx, nz]) | Shape::HalfPlane([nx, nz]) => tags.push(format_args!(
                "<rigidbody3dhalfspace x=\"{x:?}\" z=\"{z:?}\" nx=\"{nx:?}\" nz=\"{nz:?}\"/>"
            )),
        }
        if body.driven {
            let index = tags.bodies;
            tags.push(format_args!(
                "<rigidbody3duniformmotion body=\"{index}\" vx=\"{vx:?}\" vz=\"{vz:?}\" omegay=\"{spin:?}\"/>"
            ));
        }
        tags.bodies += 1;
    }
}
