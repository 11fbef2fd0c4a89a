//! Where a vertex is nearest to an edge.

use glam::DVec2;

/// The point of an edge that is nearest to a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Nearest {
    /// The point.
    pub(super) point: DVec2,
    /// Which end of the edge it is, if any.
    pub(super) end: Option<End>,
}

/// An end of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Start,
    End,
}

/// The point of the edge from `a` to `b` nearest to `x`: alpha = (x − a)·(b − a)/|b − a|², clamped
/// to [0, 1]. An edge without length is its start.
///
/// Which end it is, if any, is asked of each end by [`is_beyond`], not of alpha: where rounding
/// says "inside" of one edge and "corner" of the next, a contact would be lost between them.
pub(super) fn nearest_on_edge(x: DVec2, a: DVec2, b: DVec2) -> Nearest {
    let edge = b - a;
    let alpha = (x - a).dot(edge) / edge.dot(edge);
    let clamped = if alpha > 0.0 { alpha.min(1.0) } else { 0.0 };
    let end = if is_beyond(x, a, b) {
        Some(End::Start)
    } else if is_beyond(x, b, a) {
        Some(End::End)
    } else {
        None
    };
    Nearest { point: a + clamped * edge, end }
}

/// Whether `x` is beyond the end `corner` of the edge that leads from there to `other`, or just at
/// it.
pub(super) fn is_beyond(x: DVec2, corner: DVec2, other: DVec2) -> bool {
    (x - corner).dot(other - corner) <= 0.0
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
