//! Tests of the engine behind a page: one program, so that it is linked once. A new file is a line
//! here.

mod session;
