//! Two-dimensional particles, edges and half-planes: forces, integrators, collisions.
