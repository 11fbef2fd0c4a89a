//! Where a vertex is nearest to an edge.

use glam::DVec2;

/// The point of an edge that is nearest to a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Nearest {
    /// The point.
    pub(crate) point: DVec2,
    /// Which end of the edge it is, if any.
    pub(crate) end: Option<End>,
}

/// An end of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Start,
    End,
}

/// The point of the edge from `a` to `b` nearest to `x`: alpha = (x − a)·(b − a)/|b − a|², clamped to [0, 1]. An edge without
/// length is its start.
pub(crate) fn nearest_on_edge(x: DVec2, a: DVec2, b: DVec2) -> Nearest {
    let edge = b - a;
    let alpha = (x - a).dot(edge) / edge.dot(edge);
    if alpha >= 1.0 {
        Nearest { point: a + 1.0 * edge, end: Some(End::End) }
    } else if alpha > 0.0 {
        Nearest { point: a + alpha * edge, end: None }
    } else {
        Nearest { point: a, end: Some(End::Start) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inside_beyond_and_degenerate() {
        let (a, b) = (DVec2::new(1.0, 1.0), DVec2::new(3.0, 1.0));
        let at = |x: f64| nearest_on_edge(DVec2::new(x, 5.0), a, b);
        assert_eq!(at(2.5), Nearest { point: DVec2::new(2.5, 1.0), end: None });
        assert_eq!(at(0.0), Nearest { point: a, end: Some(End::Start) });
        assert_eq!(at(1.0), Nearest { point: a, end: Some(End::Start) });
        assert_eq!(at(3.0), Nearest { point: b, end: Some(End::End) });
        let no_length = nearest_on_edge(DVec2::ZERO, a, a);
        assert_eq!(no_length, Nearest { point: a, end: Some(End::Start) });
    }
}
