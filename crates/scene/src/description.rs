//! What a scene says, as plain data: every number checked, every index in range, nothing derived.
//!
//! The reader makes one from text, the writer makes text from one, and the façade builds a world from one. Names are words; the
//! course's attribute names stand beside them in the schema.

mod construct;
pub mod particles;
pub mod rigid;
pub mod spatial;

mod removal;
mod surface;

pub use particles::ParticleScene;
pub use rigid::RigidScene;
pub use spatial::SpatialScene;
pub use surface::{GROUPS, Surface};

/// A whole scene: what it is called and how it is shown, and the system that moves in it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Scene {
    /// What every scene has, whatever moves in it.
    pub general: General,
    /// The bodies, forces and methods.
    pub system: System,
}

impl Scene {
    /// Name of the integrator as scene files spell it.
    pub fn integrator_name(&self) -> &'static str {
        match &self.system {
            System::Particles(system) => system.integrator.method.name(),
            System::RigidBodies(system) => system.integrator.method.name(),
            System::SpatialBodies(system) => system.integrator.method.name(),
        }
    }

    /// Name of the collision response as scene files spell it.
    pub fn response_name(&self) -> &'static str {
        match &self.system {
            System::Particles(system) => system.collision.response.name(),
            System::RigidBodies(system) => system.contact.map_or("none", |contact| contact.response.name()),
            System::SpatialBodies(system) => system.contact.map_or("none", |contact| contact.response.name()),
        }
    }

    /// For each particle or body, whether forces and contacts can move it: it is neither fixed nor scripted nor a half-space.
    pub fn movable(&self) -> Vec<bool> {
        match &self.system {
            System::Particles(system) => system.particles.iter().map(|particle| !particle.fixed).collect(),
            System::RigidBodies(system) => {
                let bodies = system.bodies.iter().zip(system.scripted());
                bodies.map(|(body, scripted)| !body.fixed && !scripted).collect()
            }
            System::SpatialBodies(system) => {
                let still = |body: &spatial::Body| {
                    body.fixed || matches!(body.shape, spatial::Shape::HalfSpace { .. })
                };
                let bodies = system.bodies.iter().zip(system.scripted());
                bodies.map(|(body, scripted)| !still(body) && !scripted).collect()
            }
        }
    }

    /// The two particles of an edge; `None` when there is no such edge.
    pub fn edge_ends(&self, edge: usize) -> Option<[usize; 2]> {
        match &self.system {
            System::Particles(system) => system.edges.get(edge).map(|edge| [edge.start, edge.end]),
            System::RigidBodies(_) | System::SpatialBodies(_) => None,
        }
    }
}

/// Which of so many bodies are named; names of bodies that are not there are passed over.
fn marked(count: usize, named: impl Iterator<Item = usize>) -> Vec<bool> {
    let mut marks = vec![false; count];
    for body in named.filter(|&body| body < count) {
        marks[body] = true;
    }
    marks
}

/// The kind of system, `simtype` in the file.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum System {
    /// `particle-system`, the default.
    Particles(ParticleScene),
    /// `rigid-body`: planar rigid bodies.
    RigidBodies(RigidScene),
    /// `rigid-body-3d`: spatial rigid bodies.
    SpatialBodies(SpatialScene),
}

/// What does not depend on the kind of system.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct General {
    /// Length of the run in seconds of simulated time.
    pub duration: f64,
    /// A sentence for people.
    pub description: Option<String>,
    /// A free label, without effect on results.
    pub tag: Option<String>,
    /// Cap on steps a second when a viewer plays the scene live; no effect on results.
    pub max_frequency: Option<f64>,
    /// The part of the plane to show; fitted to the scene when absent.
    pub viewport: Option<Viewport>,
    /// Colour behind everything; white when absent.
    pub background: Option<Color>,
    /// Numbers that a viewer offers as sliders, in document order.
    pub knobs: Vec<Knob>,
    /// The box that bodies in the plane come in again on the other side of; none when absent.
    pub wrap: Option<Wrap>,
}

/// A box without walls.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Wrap {
    /// Lower left corner.
    pub low: [f64; 2],
    /// Upper right corner.
    pub high: [f64; 2],
}

impl Wrap {
    /// Where a body outside comes in; nothing for one that is inside. A body that is far outside is brought back by as many widths as it
    /// takes, or left where it is when it is too far to tell.
    pub fn wrapped(&self, place: [f64; 2]) -> Option<[f64; 2]> {
        let axis = |k: usize| {
            let (low, size) = (self.low[k], self.high[k] - self.low[k]);
            if place[k] >= low && place[k] <= self.high[k] {
                return place[k];
            }
            let inside = place[k] - ((place[k] - low) / size).floor() * size;
            if inside >= low && inside <= self.high[k] { inside } else { place[k] }
        };
        let inside = [axis(0), axis(1)];
        (inside != place).then_some(inside)
    }
}

/// A number of the scene that can be turned; no effect on results.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Knob {
    /// What it is called.
    pub label: String,
    /// Which number it turns.
    pub target: KnobTarget,
    /// Smallest value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// Distance of the values that it takes; any value when absent.
    pub step: Option<f64>,
}

/// An attribute of an element of the scene.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KnobTarget {
    /// Name of the tag.
    pub tag: String,
    /// Which of the tags of that name, from 0.
    pub ordinal: usize,
    /// Name of the attribute.
    pub attribute: String,
}

impl KnobTarget {
    /// Reads `tag.attribute` or `tag[n].attribute`; nothing when it is neither.
    ///
    /// ```
    /// use carom_scene::description::KnobTarget;
    ///
    /// let target = KnobTarget::parse("particle[2].m").unwrap();
    /// assert_eq!((target.tag.as_str(), target.ordinal, target.attribute.as_str()), ("particle", 2, "m"));
    /// assert_eq!(target.to_string(), "particle[2].m");
    /// assert!(KnobTarget::parse("particle[x].m").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<KnobTarget> {
        let (element, attribute) = text.split_once('.')?;
        let (tag, ordinal) = match element.strip_suffix(']') {
            Some(inner) => {
                let (tag, digits) = inner.split_once('[')?;
                (tag, digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())??)
            }
            None => (element, 0),
        };
        let is_name = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric());
        (is_name(tag) && is_name(attribute)).then(|| KnobTarget {
            tag: tag.to_owned(),
            ordinal,
            attribute: attribute.to_owned(),
        })
    }
}

impl std::fmt::Display for KnobTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.ordinal {
            0 => write!(f, "{}.{}", self.tag, self.attribute),
            ordinal => write!(f, "{}[{ordinal}].{}", self.tag, self.attribute),
        }
    }
}

/// A square part of the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Viewport {
    /// Centre.
    pub center: [f64; 2],
    /// Half of the side that is shown, in scene units, as the course's viewer takes it.
    pub size: f64,
}

/// A colour, each channel from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Color {
    /// Red.
    pub red: f64,
    /// Green.
    pub green: f64,
    /// Blue.
    pub blue: f64,
}

/// A colour given to one object by its index.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct IndexedColor {
    /// Which object, in document order of its own kind, from 0.
    pub index: usize,
    /// Its colour.
    pub color: Color,
}
