//! Development only: golden comparison, brute force, finite differences, generators.
