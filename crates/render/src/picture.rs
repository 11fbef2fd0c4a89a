//! Frames to display lists.
//!
//! A [`Painter`] knows a scene, a view and what to show; it turns one frame after another into a
//! display list.

pub mod broad_phase;
pub(crate) mod cast;
mod close_up;
pub mod comparison;
pub mod focus;
pub mod islands;
mod marks;
mod obstacles;
mod particles;
mod rigid;
pub(crate) mod shapes;
mod space;
pub mod trails;

use carom_scene::{Scene, System};
use carom_trajectory::{Family, Frame};

use crate::color::Rgba;
use crate::display_list::DisplayList;
use crate::view::View;
use cast::Cast;
pub use trails::Trails;

/// What to show beside the bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Arrows for the velocities of bodies.
    pub velocities: bool,
    /// Contact points, normals and impulses of the step that led here.
    pub contacts: bool,
    /// Bodies that influence each other through contacts, each such island in a colour of its own.
    pub islands: bool,
    /// The boxes around bodies, and the pairs of them that overlap.
    pub broad_phase: bool,
    /// Kinetic, potential and total energy as text.
    pub energy: bool,
    /// Step and time as text.
    pub time: bool,
    /// Trails that the scene asks for.
    pub paths: bool,
    /// A light tint inside the outlines of bodies that can move.
    pub fills: bool,
}

impl Default for Options {
    /// What the scene asks for and nothing else.
    fn default() -> Options {
        Options {
            velocities: false,
            contacts: false,
            islands: false,
            broad_phase: false,
            energy: false,
            time: false,
            paths: true,
            fills: true,
        }
    }
}

/// A frame that does not belong to the scene.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "step {step} holds {found} position numbers where the scene needs {expected}: the frame belongs to another scene"
)]
pub struct PictureError {
    /// Step of the frame.
    pub step: u64,
    /// Numbers that the scene needs.
    pub expected: usize,
    /// Numbers that the frame holds.
    pub found: usize,
}

/// Turns frames of one scene into display lists.
#[derive(Debug, Clone)]
pub struct Painter<'a> {
    scene: &'a Scene,
    view: View,
    options: Options,
    /// Forms of the bodies of a 3D scene.
    cast: Option<Cast>,
}

impl<'a> Painter<'a> {
    /// A painter of a scene.
    pub fn new(scene: &'a Scene, view: View, options: Options) -> Painter<'a> {
        let cast = match &scene.system {
            System::SpatialBodies(system) => Some(Cast::new(system, background(scene))),
            _ => None,
        };
        Painter { scene, view, options, cast }
    }

    /// The scene that is painted.
    pub fn scene(&self) -> &'a Scene {
        self.scene
    }

    /// Where points land.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The picture of a frame. Bodies whose numbers are not finite are left out, and a line in the
    /// picture says how many.
    pub fn paint(&self, frame: &Frame, trails: &Trails) -> Result<DisplayList, PictureError> {
        let bodies = body_count(self.scene);
        check_layout(bodies * family(self.scene).coordinates(), frame)?;
        let [width, height] = self.view.size();
        let mut list = DisplayList::new(width, height, background(self.scene), title(self.scene, frame));
        list.description = describe(self.scene, bodies);
        if self.options.paths {
            trails.paint(&mut list, self.scene, &self.view, frame);
        }
        let drawn = match &self.scene.system {
            System::Particles(scene) => {
                obstacles::paint(&mut list, scene, &self.view);
                particles::paint(&mut list, scene, &self.view, frame)
            }
            System::RigidBodies(scene) => {
                rigid::paint(&mut list, scene, &self.view, frame, self.options.fills)
            }
            System::SpatialBodies(scene) => {
                let islands = self.options.islands.then(|| islands::islands(self.scene, frame));
                let cast = self.cast.as_ref().map(|cast| (scene, cast));
                cast.map_or(0, |cast| space::paint(&mut list, cast, &self.view, frame, islands.as_deref()))
            }
        };
        let mut notes = Vec::new();
        if self.options.islands {
            let count = islands::paint(&mut list, self.scene, &self.view, frame);
            notes.push(plural(count, "island", "islands"));
        }
        if self.options.broad_phase {
            let [boxes, pairs] = match (&self.scene.system, &self.cast) {
                (System::SpatialBodies(scene), Some(cast)) => {
                    space::paint_boxes(&mut list, (scene, cast), &self.view, frame)
                }
                _ => broad_phase::paint(&mut list, self.scene, &self.view, frame),
            };
            notes.push(format!("{}, {}", plural(boxes, "box", "boxes"), plural(pairs, "pair", "pairs")));
        }
        if self.options.velocities {
            marks::velocities(&mut list, self.scene, &self.view, frame);
        }
        if self.options.contacts {
            marks::contacts(&mut list, self.scene, &self.view, frame);
        }
        list.left_out = bodies - drawn;
        marks::words(&mut list, &self.options, frame, &notes);
        Ok(list)
    }
}

/// The layout of the numbers of a scene's frames.
pub fn family(scene: &Scene) -> Family {
    match scene.system {
        System::Particles(_) => Family::Particles,
        System::RigidBodies(_) => Family::RigidBodies,
        System::SpatialBodies(_) => Family::SpatialBodies,
    }
}

/// The colour behind everything.
pub fn background(scene: &Scene) -> Rgba {
    scene.general.background.map_or(Rgba::WHITE, Rgba::from)
}

/// The colours of what has none of its own; of 3D scenes every colour.
pub(crate) fn default_colors(scene: &Scene) -> Vec<Rgba> {
    match &scene.system {
        System::Particles(_) => {
            vec![particles::PARTICLE, particles::FIXED, particles::EDGE, obstacles::HALF_PLANE]
        }
        System::RigidBodies(_) => vec![rigid::BODY, rigid::FIXED, rigid::SPRING, obstacles::HALF_PLANE],
        System::SpatialBodies(system) => Cast::new(system, background(scene)).colors().collect(),
    }
}

/// The colours of tinted areas: half-planes, and the insides of bodies.
pub(crate) fn tints(scene: &Scene) -> Vec<Rgba> {
    let background = background(scene);
    let (given, default, opacity) = match &scene.system {
        System::Particles(scene) => {
            (&scene.appearance.half_plane_colors, obstacles::HALF_PLANE, obstacles::TINT)
        }
        System::RigidBodies(scene) => (&scene.body_colors, rigid::BODY, rigid::TINT),
        System::SpatialBodies(scene) => (&scene.body_colors, rigid::BODY, rigid::TINT),
    };
    let colors = given.iter().map(|given| Rgba::from(given.color)).chain([default]);
    colors.map(|color| background.mixed_with(color, opacity)).collect()
}

fn body_count(scene: &Scene) -> usize {
    match &scene.system {
        System::Particles(scene) => scene.particles.len(),
        System::RigidBodies(scene) => scene.bodies.len(),
        System::SpatialBodies(scene) => scene.bodies.len(),
    }
}

fn check_layout(expected: usize, frame: &Frame) -> Result<(), PictureError> {
    let found = frame.positions.len();
    if found == expected { Ok(()) } else { Err(PictureError { step: frame.step, expected, found }) }
}

fn title(scene: &Scene, frame: &Frame) -> String {
    let name = scene.general.description.as_deref().or(scene.general.tag.as_deref()).unwrap_or("Scene");
    format!("{name}: step {}, {:.3} s", frame.step, frame.time)
}

fn describe(scene: &Scene, bodies: usize) -> String {
    match &scene.system {
        System::Particles(scene) => format!(
            "{}, {}, {}.",
            plural(bodies, "particle", "particles"),
            plural(scene.edges.len(), "edge", "edges"),
            plural(scene.half_planes.len(), "half-plane", "half-planes")
        ),
        System::RigidBodies(scene) => format!(
            "{}, {}.",
            plural(bodies, "rigid body", "rigid bodies"),
            plural(scene.springs.len(), "spring", "springs")
        ),
        System::SpatialBodies(scene) => format!(
            "{}, {}.",
            plural(bodies, "rigid body", "rigid bodies"),
            plural(scene.springs.len(), "spring", "springs")
        ),
    }
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
