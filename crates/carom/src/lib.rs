//! Exact collision and contact simulation: scenes to worlds to frames.
