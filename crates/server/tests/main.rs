//! Tests of the page and the remote engine: one program, so that it is linked once. A new file is a
//! line here.

mod engine;
mod page;
mod shipped;
mod siege;
mod visitor;
