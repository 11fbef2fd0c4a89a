//! Pictures of frames: still ones, movies, plots, reports.
//!
//! ```text
//! (Scene, Frame) ─▶ Painter ─▶ DisplayList ─▶ Canvas ─▶ PNG · GIF · MP4
//!          Chart ──────────────▶     └──────▶ SVG
//! ```
//!
//! [`Painter`] turns frames into display lists, [`plot::Chart`] does so for curves. A [`Canvas`] is
//! a display list drawn in pixels, [`svg`] writes it as text. [`movie::record`] goes through a
//! whole run in bounded memory, [`plot::history`] gathers what plots need of it, [`plot::terminal`]
//! draws charts as text, [`report`] makes one page of all. [`picture::comparison`] lays two lists
//! of contacts over each other.
//!
//! What it does not do: no physics (it sees frames, never worlds), no clocks, no printing, no
//! display. 3D solids are one item of a display list, drawn by [`spatial`].
//!
//! ```
//! use carom_render::{Canvas, Extent, Options, Painter, Trails, View, output::png};
//! use carom_scene::{ReadOptions, read};
//! use carom_trajectory::Frame;
//!
//! let text = r#"<scene><duration time="1"/><integrator type="explicit-euler" dt="0.1"/>
//!     <particle m="1" px="0" py="0" vx="1" vy="0" fixed="0" radius="0.5"/></scene>"#;
//! let scene = read(text, &ReadOptions::default()).scene.expect("the scene has no errors");
//! let frame = Frame { positions: vec![0.0, 0.0], velocities: vec![1.0, 0.0], ..Frame::default() };
//!
//! let view = View::new(&scene, &Extent::of_frame(&scene, &frame), 64, 64);
//! let picture = Painter::new(&scene, view, Options::default()).paint(&frame, &Trails::new(&scene))?;
//! let mut bytes = Vec::new();
//! png::write(&Canvas::of(&picture)?, png::Effort::Small, &mut bytes)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod base64;
pub mod color;
pub mod display_list;
pub mod movie;
pub mod number;
pub mod output;
pub mod picture;
pub mod plot;
pub mod raster;
pub mod report;
pub mod spatial;
pub mod svg;
pub mod text;
pub mod timing;
pub mod view;

pub use color::Rgba;
pub use display_list::DisplayList;
pub use picture::{Options, Painter, PictureError, Trails};
pub use raster::Canvas;
pub use timing::Timing;
pub use view::{Extent, View};
