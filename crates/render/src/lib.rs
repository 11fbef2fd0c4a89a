//! Pictures of frames: (scene, frame) to display list to PNG, SVG, movie; plots; reports. No physics: it sees frames, never worlds.

pub mod color;
pub mod display_list;
pub mod movie;
pub mod number;
pub mod output;
pub mod picture;
pub mod plot;
pub mod raster;
pub mod report;
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
