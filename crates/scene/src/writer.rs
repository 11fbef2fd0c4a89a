//! Description to XML that reads back equal.
//!
//! The order is fixed: what the scene is and how it runs, then objects, forces, collisions, and last what is only seen. Numbers are
//! the shortest that read back to the same bits.

mod element;
mod particles;
mod rigid;
mod spatial;

use crate::description::{General, IndexedColor, Scene, Surface, System};
use element::Writer;
pub(crate) use element::escaped;

/// Writes a scene as XML. Reading it back gives an equal scene, if the scene is one that the reader accepts.
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
            general(&mut writer, &scene.general);
            particles::write(&mut writer, particles);
        }
        System::RigidBodies(bodies) => {
            writer.element("simtype").text("type", "rigid-body").end();
            general(&mut writer, &scene.general);
            rigid::write(&mut writer, bodies);
        }
        System::SpatialBodies(bodies) => {
            writer.element("simtype").text("type", "rigid-body-3d").end();
            general(&mut writer, &scene.general);
            spatial::write(&mut writer, bodies);
        }
    }
    writer.finish()
}

fn general(writer: &mut Writer, general: &General) {
    if let Some(text) = &general.description {
        writer.element("description").text("text", text).end();
    }
    if let Some(tag) = &general.tag {
        writer.element("scenetag").text("tag", tag).end();
    }
    writer.element("duration").real("time", general.duration).end();
    if let Some(max) = general.max_frequency {
        writer.element("maxsimfreq").real("max", max).end();
    }
    if let Some(viewport) = general.viewport {
        writer.element("viewport").pair("cx", "cy", viewport.center).real("size", viewport.size).end();
    }
    if let Some(color) = general.background {
        writer.element("backgroundcolor").color(color).end();
    }
    if let Some(wrap) = general.wrap {
        let element = writer.element("wrap").real("xmin", wrap.low[0]).real("xmax", wrap.high[0]);
        element.real("ymin", wrap.low[1]).real("ymax", wrap.high[1]).end();
    }
    for knob in &general.knobs {
        let element = writer.element("knob").text("label", &knob.label);
        let element =
            element.text("target", &knob.target.to_string()).real("min", knob.min).real("max", knob.max);
        match knob.step {
            Some(step) => element.real("step", step).end(),
            None => element.end(),
        }
    }
}

fn surfaces(writer: &mut Writer, tag: &str, index: &str, surfaces: &[Surface]) {
    for surface in surfaces {
        let mut element = writer.element(tag).index(index, surface.index);
        if let Some(restitution) = surface.restitution {
            element = element.real("COR", restitution);
        }
        if let Some(friction) = surface.friction {
            element = element.real("mu", friction);
        }
        if surface.group != 0 {
            element = element.index("group", surface.group);
        }
        for group in surface.ignored_groups() {
            element = element.index("ignores", group);
        }
        element.end();
    }
}

fn colors(writer: &mut Writer, tag: &str, index: &str, colors: &[IndexedColor]) {
    for color in colors {
        writer.element(tag).index(index, color.index).color(color.color).end();
    }
}
