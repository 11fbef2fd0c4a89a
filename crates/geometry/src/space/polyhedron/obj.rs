//! Vertices and faces from the text of a Wavefront OBJ file.

use glam::DVec3;
use std::fmt;

/// Points and the polygons between them, not yet checked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// Points.
    pub vertices: Vec<DVec3>,
    /// Corners of each polygon, counter-clockwise seen from outside.
    pub faces: Vec<Vec<u32>>,
}

/// What is wrong with the text, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObjError {
    /// Line of the text, from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: ObjFault,
}

/// What can be wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjFault {
    /// A vertex without three finite numbers.
    Vertex,
    /// A face with fewer than three corners.
    FewCorners,
    /// A corner that is no number, or names a vertex that is not there (yet).
    Corner,
}

/// Reads `v` and `f` lines; all others (normals, textures, groups, materials, comments) are passed
/// over. Corners may be written `7`, `7/1`, `7//3`, `7/1/3`, and count backwards when negative. A
/// fourth coordinate is passed over.
pub fn parse_obj(text: &str) -> Result<Mesh, ObjError> {
    let mut mesh = Mesh::default();
    for (index, line) in text.lines().enumerate() {
        let fail = |fault| ObjError { line: index + 1, fault };
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => mesh.vertices.push(vertex(words).ok_or(fail(ObjFault::Vertex))?),
            Some("f") => {
                let count = mesh.vertices.len();
                let corners: Option<Vec<u32>> = words.map(|word| corner(word, count)).collect();
                let corners = corners.ok_or(fail(ObjFault::Corner))?;
                if corners.len() < 3 {
                    return Err(fail(ObjFault::FewCorners));
                }
                mesh.faces.push(corners);
            }
            _ => {}
        }
    }
    Ok(mesh)
}

fn vertex<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<DVec3> {
    let mut number = || words.next()?.parse::<f64>().ok().filter(|x| x.is_finite());
    Some(DVec3::new(number()?, number()?, number()?))
}

/// The vertex that a corner names, from 0.
fn corner(word: &str, count: usize) -> Option<u32> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    let count = i64::try_from(count).ok()?;
    let index = if number < 0 { count.checked_add(number)? } else { number - 1 };
    u32::try_from(index).ok().filter(|_| index < count)
}

impl fmt::Display for ObjError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.fault {
            ObjFault::Vertex => "a vertex needs three finite numbers",
            ObjFault::FewCorners => "a face needs at least three corners",
            ObjFault::Corner => "a corner must be the number of a vertex above",
        };
        write!(f, "line {}: {what}", self.line)
    }
}

impl std::error::Error for ObjError {}
