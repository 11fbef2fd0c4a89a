//! Spatial bodies whose shape is in a file: the file is read by whoever can, and its vertices
//! become part of the scene.

use carom_rigid3d::{ObjError, Polyhedron, ShapeError, parse_obj};
use carom_scene::description::spatial::Shape;
use carom_scene::{Scene, System};
use std::fmt;

/// Why a file is no body.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshError {
    /// Which body asks for it.
    pub body: usize,
    /// Name of the file as the scene has it.
    pub name: String,
    /// What is wrong with it.
    pub fault: MeshFault,
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq)]
pub enum MeshFault {
    /// It cannot be read.
    Unreadable(String),
    /// It is no OBJ file.
    Malformed(ObjError),
    /// Its mesh is not the surface of a convex solid.
    NoSolid(ShapeError),
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.name, self.fault)
    }
}

impl std::error::Error for MeshError {}

impl fmt::Display for MeshFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeshFault::Unreadable(reason) => write!(f, "cannot be read: {reason}"),
            MeshFault::Malformed(error) => write!(f, "is no OBJ file: {error}"),
            MeshFault::NoSolid(error) => write!(f, "holds no convex solid: {error}"),
        }
    }
}

impl std::error::Error for MeshFault {}

/// Puts the vertices of every file that the scene names into the scene, which then stands for
/// itself. `read` gives the text of a file by its name. Says whether there were any.
///
/// ```
/// let mut scene = carom::read_scene(
///     r#"<scene><simtype type="rigid-body-3d"/><duration time="1"/>
///          <rigidbody3dintegrator type="rk4" dt="0.01"/>
///          <rigidbody3dpolyhedron file="corner.obj" density="1"/>
///        </scene>"#,
/// )?;
/// let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
/// assert!(carom::inline_meshes(&mut scene, &mut |_| Ok::<_, String>(text.to_owned()))?);
/// assert!(carom_scene::write(&scene).contains(r#"<rigidbody3dpolyhedron p="0" p="1" p="2" p="3" density="1.0"/>"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn inline_meshes<E: ToString>(
    scene: &mut Scene,
    read: &mut impl FnMut(&str) -> Result<String, E>,
) -> Result<bool, MeshError> {
    let System::SpatialBodies(system) = &mut scene.system else { return Ok(false) };
    let mut any = false;
    for (index, body) in system.bodies.iter_mut().enumerate() {
        let Shape::File { name } = &body.shape else { continue };
        let fail = |fault| MeshError { body: index, name: name.clone(), fault };
        let text = read(name).map_err(|error| fail(MeshFault::Unreadable(error.to_string())))?;
        let mesh = parse_obj(&text).map_err(|error| fail(MeshFault::Malformed(error)))?;
        let solid = Polyhedron::from_mesh(&mesh).map_err(|error| fail(MeshFault::NoSolid(error)))?;
        let first = system.vertices.len();
        system.vertices.extend(solid.vertices().iter().map(|vertex| vertex.to_array()));
        body.shape = Shape::Polyhedron { corners: (first..system.vertices.len()).collect() };
        any = true;
    }
    Ok(any)
}
