//! Description to XML that reads back equal.
//!
//! The order is fixed: what the scene is and how it runs, then objects, forces, collisions, and
//! last what is only seen. Numbers are the shortest that read back to the same bits.

mod element;
mod particles;
mod rigid;
mod spatial;

use crate::description::table::{Record, Value};
use crate::description::{IndexedColor, Scene, Surface, System};
use crate::schema::Attribute;
pub(crate) use element::{ElementWriter, Writer, escaped};

/// Writes a scene as XML. Reading it back gives an equal scene, if the scene is one that the reader
/// accepts.
///
/// ```
/// use carom_scene::{ReadOptions, read, write};
///
/// let text = r#"<scene><integrator dt=".1"type="symplectic-euler"/><duration time="1"/></scene>"#;
/// let scene = read(text, &ReadOptions::default()).scene.unwrap();
/// let tidy = write(&scene);
/// assert!(tidy.contains(r#"<integrator type="forward-backward-euler" dt="0.1"/>"#));
/// assert_eq!(read(&tidy, &ReadOptions::default()).scene, Some(scene));
/// ```
pub fn write(scene: &Scene) -> String {
    let mut writer = Writer::new();
    match &scene.system {
        System::Particles(particles) => {
            writer.element("simtype").text("type", "particle-system").end();
            scene.general.write(&mut writer);
            particles::write(&mut writer, particles);
        }
        System::RigidBodies(bodies) => {
            writer.element("simtype").text("type", "rigid-body").end();
            scene.general.write(&mut writer);
            rigid::write(&mut writer, bodies);
        }
        System::SpatialBodies(bodies) => {
            writer.element("simtype").text("type", "rigid-body-3d").end();
            scene.general.write(&mut writer);
            spatial::write(&mut writer, bodies);
        }
    }
    writer.finish()
}

/// All elements of one tag.
fn records<R: Record>(writer: &mut Writer, tag: &str, records: &[R]) {
    for record in records {
        record.write(writer.element(tag)).end();
    }
}

/// The same where one value is all that a tag holds.
fn values<V: Value>(writer: &mut Writer, tag: &str, attributes: &[Attribute], values: &[V]) {
    for value in values {
        value.write(writer.element(tag), attributes).end();
    }
}

fn surfaces(writer: &mut Writer, tag: &str, index: &str, surfaces: &[Surface]) {
    for surface in surfaces {
        surface.write(writer.element(tag), index).end();
    }
}

fn colors(writer: &mut Writer, tag: &str, index: &str, colors: &[IndexedColor]) {
    for color in colors {
        color.write(writer.element(tag), index).end();
    }
}
