//! The contact problem as data, and the responses that solve it.
