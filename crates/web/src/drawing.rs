//! What a page needs to draw a scene: shapes in their own axes, colours as the scene gives them.
//! What the scene leaves open is left open here, for the page to choose by its theme.

use carom_geometry::space::polyhedron::Polyhedron;
use carom_scene::description::rigid::{Anchor, RigidScene, Shape};
use carom_scene::description::spatial;
use carom_scene::description::{Color, IndexedColor, ParticleScene};
use carom_scene::{Scene, SpatialScene, System};
use glam::DVec3;
use serde_json::{Value, json};

/// The scene as a picture book: bodies, edges, obstacles, springs, trails.
pub(crate) fn describe(scene: &Scene) -> Value {
    let mut drawing = match &scene.system {
        System::Particles(system) => particles(system),
        System::RigidBodies(system) => rigid_bodies(system),
        System::SpatialBodies(system) => spatial_bodies(system),
    };
    let general = &scene.general;
    drawing["background"] = json!(general.background.map(color));
    drawing["viewport"] =
        json!(general.viewport.map(|viewport| json!({ "center": viewport.center, "size": viewport.size })));
    drawing["description"] = json!(general.description);
    drawing["tag"] = json!(general.tag);
    drawing["friction"] = json!(friction(scene));
    drawing["maxFrequency"] = json!(general.max_frequency);
    drawing
}

/// Coulomb's coefficient of all contacts; none where nothing responds.
fn friction(scene: &Scene) -> Option<f64> {
    match &scene.system {
        System::Particles(system) => Some(system.collision.friction),
        System::RigidBodies(system) => system.contact.map(|contact| contact.friction),
        System::SpatialBodies(system) => system.contact.map(|contact| contact.friction),
    }
}

fn particles(system: &ParticleScene) -> Value {
    let body_colors = colors(&system.appearance.particle_colors, system.particles.len());
    let edge_colors = colors(&system.appearance.edge_colors, system.edges.len());
    let plane_colors = colors(&system.appearance.half_plane_colors, system.half_planes.len());
    let bodies = system.particles.iter().zip(body_colors);
    let edges = system.edges.iter().zip(edge_colors);
    let planes = system.half_planes.iter().zip(plane_colors);
    json!({
        "family": "particles",
        "bodies": bodies.map(|(particle, color)| json!({
            "shape": "disc", "radius": particle.radius, "fixed": particle.fixed, "color": color, "tag": particle.tag,
        })).collect::<Vec<_>>(),
        "edges": edges.map(|(edge, color)| json!({
            "start": edge.start, "end": edge.end, "radius": edge.radius, "color": color,
        })).collect::<Vec<_>>(),
        "obstacles": planes.map(|(plane, color)| json!({
            "point": plane.point, "normal": plane.normal, "color": color,
        })).collect::<Vec<_>>(),
        "paths": system.appearance.paths.iter().map(|path| json!({
            "body": path.index, "duration": path.duration, "color": color(path.color),
        })).collect::<Vec<_>>(),
    })
}

fn spatial_bodies(system: &SpatialScene) -> Value {
    let body_colors = colors(&system.body_colors, system.bodies.len());
    let spring_colors = colors(&system.spring_colors, system.springs.len());
    let moved = system.kinematic();
    let bodies = system.bodies.iter().zip(body_colors).enumerate().map(|(index, (body, color))| {
        let shape = match &body.shape {
            spatial::Shape::Sphere { radius } => json!({ "shape": "sphere", "radius": radius }),
            spatial::Shape::Box { sides } => json!({ "shape": "box", "sides": sides }),
            spatial::Shape::Polyhedron { corners } => hull(system, corners),
            spatial::Shape::File { .. } => hull(system, &[]),
            spatial::Shape::HalfSpace { normal } => json!({ "shape": "plane", "normal": normal }),
        };
        let fixed = body.fixed || matches!(body.shape, spatial::Shape::HalfSpace { .. });
        merged(json!({ "radius": 0.0, "fixed": fixed, "kinematic": moved[index], "color": color }), shape)
    });
    let end = |anchor: &spatial::Anchor| match anchor {
        spatial::Anchor::World(point) => json!({ "point": point }),
        spatial::Anchor::Body { body, offset } => json!({ "body": body, "point": offset }),
    };
    let springs = system.springs.iter().zip(spring_colors);
    json!({
        "family": "spatial-bodies",
        "bodies": bodies.collect::<Vec<_>>(),
        "springs": springs.map(|(spring, color)| json!({
            "start": end(&spring.start), "end": end(&spring.end), "color": color,
        })).collect::<Vec<_>>(),
        "camera": system.camera.map(|camera| json!({
            "eye": camera.eye, "target": camera.target, "up": camera.up, "fieldOfView": camera.field_of_view,
        })),
    })
}

/// The convex hull of some vertices about its centre of mass: corners, and faces with theirs
/// counter-clockwise from outside. A hull without volume has no faces; the world refuses it anyway.
fn hull(system: &SpatialScene, corners: &[usize]) -> Value {
    let vertices = corners.iter().filter_map(|corner| system.vertices.get(*corner));
    let points: Vec<DVec3> = vertices.map(|vertex| DVec3::from(*vertex)).collect();
    let Ok(solid) = Polyhedron::hull(&points) else {
        return json!({ "shape": "hull", "points": [], "faces": [] });
    };
    let center = solid.solid_properties().center;
    json!({
        "shape": "hull",
        "points": solid.vertices().iter().map(|vertex| (*vertex - center).to_array()).collect::<Vec<_>>(),
        "faces": solid.faces().iter().map(|face| &face.corners).collect::<Vec<_>>(),
    })
}

fn rigid_bodies(system: &RigidScene) -> Value {
    let body_colors = colors(&system.body_colors, system.bodies.len());
    let spring_colors = colors(&system.spring_colors, system.springs.len());
    let moved = system.kinematic();
    let bodies = system.bodies.iter().zip(body_colors).enumerate().map(|(index, (body, color))| {
        let base =
            json!({ "radius": body.radius, "fixed": body.fixed, "kinematic": moved[index], "color": color });
        let (shape, extra) = match &body.shape {
            Shape::Disc { .. } => ("disc", json!({ "spoke": true })),
            Shape::HalfPlane { normal: [x, y], .. } => ("plane", json!({ "normal": [x, y, &0.0] })),
            Shape::Hollow { outline } => ("polygon", json!({ "points": own_axes(system, index, outline) })),
            Shape::Solid { outline, .. } => {
                ("polygon", json!({ "points": own_axes(system, index, outline), "solid": true }))
            }
        };
        merged(merged(base, json!({ "shape": shape })), extra)
    });
    let springs = system.springs.iter().zip(spring_colors);
    json!({
        "family": "rigid-bodies",
        "bodies": bodies.collect::<Vec<_>>(),
        "springs": springs.map(|(spring, color)| json!({
            "start": anchor(&spring.start), "end": anchor(&spring.end), "color": color,
        })).collect::<Vec<_>>(),
    })
}

/// The outline of a body from its centre of mass, as it lies at angle 0.
fn own_axes(system: &RigidScene, body: usize, outline: &[usize]) -> Vec<[f64; 2]> {
    let [cx, cy] = system.center_of_mass(body).unwrap_or([0.0; 2]);
    let vertices = outline.iter().filter_map(|vertex| system.vertices.get(*vertex));
    vertices.map(|vertex| [vertex.position[0] - cx, vertex.position[1] - cy]).collect()
}

fn anchor(anchor: &Anchor) -> Value {
    match anchor {
        Anchor::World(point) => json!({ "point": point }),
        Anchor::Body { body, offset } => json!({ "body": body, "point": offset }),
    }
}

fn merged(mut base: Value, extra: Value) -> Value {
    if let (Value::Object(base), Value::Object(extra)) = (&mut base, extra) {
        base.extend(extra);
    }
    base
}

/// The colour of each object as the scene gives it (the last one wins).
fn colors(given: &[IndexedColor], count: usize) -> Vec<Option<String>> {
    let mut all = vec![None; count];
    for IndexedColor { index, color } in given {
        if let Some(slot) = all.get_mut(*index) {
            *slot = Some(self::color(*color));
        }
    }
    all
}

fn color(color: Color) -> String {
    // Not-a-number becomes 0: `as` saturates.
    let channel = |value: f64| (value.clamp(0.0, 1.0) * 255.0).round() as u8;
    format!("#{:02x}{:02x}{:02x}", channel(color.red), channel(color.green), channel(color.blue))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_is_given_from_its_centre_of_mass() {
        let scene = carom::read_scene(
            r#"<scene><simtype type="rigid-body"/><duration time="1"/><rigidbodyintegrator type="symplectic-euler" dt="0.1"/>
               <rigidbodyvertex x="1" y="1" m="1"/><rigidbodyvertex x="4" y="1" m="1"/><rigidbodyvertex x="1" y="4" m="1"/>
               <rigidbody p="0" p="1" p="2" vx="0" vy="0" omega="0" r="0.1"/>
               <rigidbodycolor body="0" r="1" g="0" b="0.5"/></scene>"#,
        )
        .unwrap();
        let body = &describe(&scene)["bodies"][0];
        assert_eq!(body["points"], json!([[-1.0, -1.0], [2.0, -1.0], [-1.0, 2.0]]));
        assert_eq!(body["color"], "#ff0080");
        assert_eq!(body["shape"], "polygon");
    }

    #[test]
    fn a_half_plane_is_a_fixed_plane() {
        let scene = carom::read_scene(
            r#"<scene><simtype type="rigid-body"/><duration time="1"/><rigidbodyintegrator type="symplectic-euler" dt="0.1"/>
               <rigidbodyhalfplane x="3" nx="-2" ny="1"/></scene>"#,
        )
        .unwrap();
        let body = &describe(&scene)["bodies"][0];
        assert_eq!((&body["shape"], &body["fixed"]), (&json!("plane"), &json!(true)));
        assert_eq!(body["normal"], json!([-2.0, 1.0, 0.0]));
    }

    #[test]
    fn a_tetrahedron_is_given_from_its_centre_of_mass_with_faces_that_look_out() {
        let scene = carom::read_scene(
            r#"<scene><simtype type="rigid-body-3d"/><duration time="1"/><rigidbody3dintegrator type="symplectic-euler" dt="0.1"/>
               <rigidbody3dvertex x="1" y="1" z="1"/><rigidbody3dvertex x="5" y="1" z="1"/><rigidbody3dvertex x="1" y="5" z="1"/>
               <rigidbody3dvertex x="1" y="1" z="5"/><rigidbody3dpolyhedron p="0" p="1" p="2" p="3" density="1"/></scene>"#,
        )
        .unwrap();
        let body = &describe(&scene)["bodies"][0];
        let points: Vec<DVec3> = body["points"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| serde_json::from_value::<[f64; 3]>(p.clone()).unwrap().into())
            .collect();
        let sum: DVec3 = points.iter().sum();
        assert!(sum.length() < 1e-12, "the centre of a tetrahedron is that of its corners: {sum}");
        let faces: Vec<Vec<usize>> = serde_json::from_value(body["faces"].clone()).unwrap();
        assert_eq!(faces.len(), 4);
        for face in faces {
            let [a, b, c] = [0, 1, 2].map(|k| points[face[k]]);
            assert!((b - a).cross(c - a).dot(a) > 0.0, "a face looks away from the centre");
        }
    }

    #[test]
    fn every_gallery_scene_has_as_many_shapes_as_bodies() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "xml") {
                let scene = carom::read_scene(&std::fs::read_to_string(&path).unwrap()).unwrap();
                let simulation = carom::Simulation::new(&scene, carom::Options::default()).unwrap();
                let drawing = describe(&scene);
                assert_eq!(drawing["bodies"].as_array().unwrap().len(), simulation.body_count());
            }
        }
    }
}
