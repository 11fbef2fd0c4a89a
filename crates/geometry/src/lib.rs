//! Shapes and questions about them: distances, sweeps, broad phases.
