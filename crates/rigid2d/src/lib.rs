//! Planar rigid bodies: forces, integrators, contact.
