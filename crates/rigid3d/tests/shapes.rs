//! Hulls, meshes, OBJ text, and what solids weigh.

use carom_numerics::elementary::{cos, sin};
use carom_rigid3d::orientation::exponential;
use carom_rigid3d::shape::obj::ObjFault;
use carom_rigid3d::{DMat3, DVec3, Mesh, Motion, Placed, Polyhedron, ShapeError, parse_obj};
use proptest::prelude::*;

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn cube_mesh() -> Mesh {
    parse_obj(
        "# a cube of side 2, some faces as triangles\no cube\n\
         v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\nvn 0 0 1\n\
         f 1 4 3\nf 1 3 2\nf 5//1 6//1 7//1 8//1\nf 1/1 2/2 6/3 5/4\nf 3 4 8 7\nf -8 -4 -1 -5\nf 2 3 7 6\n",
    )
    .unwrap()
}

fn euler_holds(p: &Polyhedron) -> bool {
    p.vertices().len() + p.faces().len() == p.edges().len() + 2
}

#[test]
fn a_box_has_eight_corners_six_faces_and_twelve_edges() {
    let half = v(0.5, 1.0, 1.5);
    let cuboid = Polyhedron::cuboid(half).unwrap();
    assert_eq!((cuboid.vertices().len(), cuboid.faces().len(), cuboid.edges().len()), (8, 6, 12));
    for face in cuboid.faces() {
        assert_eq!(face.corners.len(), 4);
        assert!((face.normal.abs().max_element() - 1.0).abs() < 1e-15);
        let through = cuboid.vertices()[face.corners[0] as usize];
        assert!(face.normal.dot(through) > 0.0, "outwards");
    }
    let Placed { body, .. } = Placed::cuboid(DVec3::ZERO, half, 2.0, Motion::Free).unwrap();
    let solid = Placed::polyhedron(cuboid, 2.0, Motion::Free);
    assert!((body.mass - 12.0).abs() < 1e-12 && (solid.body.mass - 12.0).abs() < 1e-12);
    assert!(solid.center.length() < 1e-14);
    let expected = DMat3::from_diagonal(12.0 / 12.0 * v(4.0 + 9.0, 9.0 + 1.0, 1.0 + 4.0));
    for inertia in [body.inertia(), solid.body.inertia()] {
        assert!((*inertia - expected).to_cols_array().iter().all(|x| x.abs() < 1e-12), "{inertia}");
    }
}

#[test]
fn a_mesh_with_triangles_becomes_a_box_about_its_centre() {
    let placed = Placed::polyhedron(Polyhedron::from_mesh(&cube_mesh()).unwrap(), 1.0, Motion::Free);
    assert!((placed.center - DVec3::ONE).length() < 1e-14);
    assert!((placed.body.mass - 8.0).abs() < 1e-13);
    assert!((placed.body.inertia().x_axis.x - 8.0 * 8.0 / 12.0).abs() < 1e-13);
}

/// The regular tetrahedron of edge a: volume a³/(6√2), inertia m a²/20.
#[test]
fn a_regular_tetrahedron() {
    let points = [v(1.0, 1.0, 1.0), v(1.0, -1.0, -1.0), v(-1.0, 1.0, -1.0), v(-1.0, -1.0, 1.0)];
    let shifted: Vec<DVec3> = points.iter().map(|p| *p + v(50.0, -20.0, 10.0)).collect();
    let placed = Placed::polyhedron(Polyhedron::hull(&shifted).unwrap(), 3.0, Motion::Free);
    let edge = 8f64.sqrt();
    assert!((placed.body.mass - 3.0 * edge.powi(3) / (6.0 * 2f64.sqrt())).abs() < 1e-12);
    let moment = placed.body.mass * edge * edge / 20.0;
    let off = *placed.body.inertia() - DMat3::from_diagonal(DVec3::splat(moment));
    assert!(off.to_cols_array().iter().all(|x| x.abs() < 1e-11), "{off}");
    assert!((placed.center - v(50.0, -20.0, 10.0)).length() < 1e-12);
}

/// A prism on a regular polygon approaches the cylinder: ½ m r² about its axis.
#[test]
fn a_prism_of_many_sides_and_a_hull_with_points_inside() {
    let sides = 60;
    let mut points = vec![DVec3::ZERO, v(0.1, 0.2, 0.3), v(0.0, 0.0, 1.0)];
    for k in 0..sides {
        let angle = 2.0 * std::f64::consts::PI * f64::from(k) / f64::from(sides);
        points.extend([-1.0, 1.0].map(|z| v(2.0 * cos(angle), 2.0 * sin(angle), z)));
    }
    let prism = Polyhedron::hull(&points).unwrap();
    assert_eq!((prism.vertices().len(), prism.faces().len()), (120, 62));
    assert!(euler_holds(&prism));
    let body = Placed::polyhedron(prism, 1.0, Motion::Free).body;
    assert!((body.inertia().z_axis.z / (0.5 * body.mass * 4.0) - 1.0).abs() < 0.01);
}

#[test]
fn bad_meshes_are_distinguished() {
    let good = cube_mesh();
    assert!(Polyhedron::from_mesh(&good).is_ok());
    let mut open = good.clone();
    open.faces.pop();
    assert!(matches!(Polyhedron::from_mesh(&open), Err(ShapeError::Open { .. })));
    let mut one_over = good.clone();
    one_over.faces[2].reverse();
    assert!(matches!(Polyhedron::from_mesh(&one_over), Err(ShapeError::Open { .. })));
    let mut inside_out = good.clone();
    inside_out.faces.iter_mut().for_each(|face| face.reverse());
    assert_eq!(Polyhedron::from_mesh(&inside_out), Err(ShapeError::InsideOut));
    // The corner (2, 2, 2) pressed into the middle.
    let mut dented = good.clone();
    dented.vertices[6] = v(0.6, 0.6, 0.6);
    assert!(matches!(Polyhedron::from_mesh(&dented), Err(ShapeError::NotConvex { .. })));
    let mut missing = good.clone();
    missing.faces[0][0] = 99;
    assert_eq!(Polyhedron::from_mesh(&missing), Err(ShapeError::BadFace { face: 0 }));
    let mut nan = good.clone();
    nan.vertices[0].x = f64::NAN;
    assert_eq!(Polyhedron::from_mesh(&nan), Err(ShapeError::NotFinite));
    let flat = Mesh { vertices: good.vertices.clone(), faces: vec![vec![0, 1, 2, 3], vec![3, 2, 1, 0]] };
    assert_eq!(Polyhedron::from_mesh(&flat), Err(ShapeError::Flat));
    assert_eq!(Polyhedron::from_mesh(&Mesh::default()), Err(ShapeError::Empty));
}

#[test]
fn hulls_without_volume_are_refused() {
    let square = [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(1.0, 1.0, 0.0), v(0.0, 1.0, 0.0), v(0.5, 0.5, 0.0)];
    assert_eq!(Polyhedron::hull(&square), Err(ShapeError::Flat));
    let tilted: Vec<DVec3> = square.iter().map(|p| exponential(v(0.3, 0.2, 0.9)) * *p).collect();
    assert!(matches!(Polyhedron::hull(&tilted), Err(ShapeError::Flat | ShapeError::Degenerate)));
    let line: Vec<DVec3> = (0..6).map(|k| f64::from(k) * v(1.0, 2.0, 3.0)).collect();
    assert!(matches!(Polyhedron::hull(&line), Err(ShapeError::Flat | ShapeError::Degenerate)));
    assert_eq!(Polyhedron::hull(&[DVec3::ONE; 9]), Err(ShapeError::Flat));
    assert_eq!(Polyhedron::hull(&[]), Err(ShapeError::Flat));
    assert_eq!(Polyhedron::hull(&[DVec3::INFINITY; 4]), Err(ShapeError::NotFinite));
    assert!(Polyhedron::cuboid(v(1.0, 0.0, 1.0)).is_err());
}

#[test]
fn obj_faults_name_their_line() {
    for (text, line, fault) in [
        ("v 0 0\n", 1, ObjFault::Vertex),
        ("v 0 0 0\nv 0 zero 0\n", 2, ObjFault::Vertex),
        ("v 0 0 inf\n", 1, ObjFault::Vertex),
        ("v 0 0 0\nf 1 1\n", 2, ObjFault::FewCorners),
        ("v 0 0 0\nf 1 2 3\n", 2, ObjFault::Corner),
        ("v 0 0 0\nf 0 1 1\n", 2, ObjFault::Corner),
        ("f -1 -2 -3\n", 1, ObjFault::Corner),
        ("v 1 1 1\n\nf a b c\n", 3, ObjFault::Corner),
        ("v 1 1 1\nf -9223372036854775808 1 1\n", 2, ObjFault::Corner),
    ] {
        let error = parse_obj(text).unwrap_err();
        assert_eq!((error.line, error.fault), (line, fault), "{text:?}: {error}");
    }
    assert_eq!(parse_obj("").unwrap(), Mesh::default());
}

proptest! {
    /// Every point is inside every face, every corner is a point, Euler's formula holds, and the
    /// sum of signed volumes is that of the same hull turned.
    #[test]
    fn hulls_hold_their_points(points in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64), 5..40), turn in prop::array::uniform3(-3.0..3.0f64)) {
        let points: Vec<DVec3> = points.into_iter().map(DVec3::from_array).collect();
        let hull = Polyhedron::hull(&points).unwrap();
        prop_assert!(euler_holds(&hull));
        for face in hull.faces() {
            let through = hull.vertices()[face.corners[0] as usize];
            prop_assert!(points.iter().all(|p| face.normal.dot(*p - through) < 1e-8));
        }
        prop_assert!(hull.vertices().iter().all(|corner| points.contains(corner)));
        let turned: Vec<DVec3> = points.iter().map(|p| exponential(DVec3::from_array(turn)) * *p).collect();
        let volume = hull.solid_properties().volume;
        let other = Polyhedron::hull(&turned).unwrap().solid_properties().volume;
        prop_assert!(volume > 0.0 && (volume - other).abs() < 1e-9);
    }

    /// Points on a coarse grid: many coplanar, collinear and repeated ones.
    #[test]
    fn hulls_of_grid_points(points in prop::collection::vec(prop::array::uniform3(0..3u8), 4..30)) {
        let points: Vec<DVec3> = points.into_iter().map(|p| DVec3::from_array(p.map(f64::from))).collect();
        match Polyhedron::hull(&points) {
            Ok(hull) => {
                prop_assert!(euler_holds(&hull));
                for face in hull.faces() {
                    let through = hull.vertices()[face.corners[0] as usize];
                    prop_assert!(points.iter().all(|p| face.normal.dot(*p - through) < 1e-8));
                }
            }
            Err(error) => {
                // Only without a volume: every four points are in one plane.
                let first = points[0];
                let flat = points.iter().all(|a| points.iter().all(|b| points.iter().all(|c| {
                    (*a - first).dot((*b - first).cross(*c - first)).abs() < 1e-12
                })));
                prop_assert!(flat, "{error:?}");
            }
        }
    }

    #[test]
    fn no_text_breaks_the_parser(text in "[vf0-9 ./#\\-\n]{0,80}") {
        if let Ok(mesh) = parse_obj(&text) {
            let _ = Polyhedron::from_mesh(&mesh);
        }
    }
}
