//! Tests of pictures, movies and plots: one program, so that it is linked once. A new file is a
//! line here.

mod close_up;
mod corpus;
mod golden;
mod layers;
mod outputs;
mod outputs_mp4;
mod pixels;
mod space;
mod spatial;
mod support;
