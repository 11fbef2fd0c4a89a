//! `rigidbody3dcamera`.

use crate::description::table::attributes;
use crate::problem::Problem;
use crate::reader::{Element, Reader};
use crate::schema::{Attribute, Limit};

/// From where a scene is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Camera {
    /// Where the eye is.
    pub eye: [f64; 3],
    /// The point in the middle of the picture.
    pub target: [f64; 3],
    /// What points up in the picture; not along the line of sight.
    pub up: [f64; 3],
    /// Angle between the top and the bottom of the picture, in degrees.
    pub field_of_view: f64,
}

attributes! {
    Camera {
        eye: [
            Attribute::real("x", "m", "The eye.").ours(),
            Attribute::real("y", "m", "The eye.").ours(),
            Attribute::real("z", "m", "The eye.").ours(),
        ],
        target: [
            Attribute::zero("tx", "m", "The point in the middle of the picture."),
            Attribute::zero("ty", "m", "The point in the middle of the picture."),
            Attribute::zero("tz", "m", "The point in the middle of the picture."),
        ],
        up: [
            Attribute::real("ux", "", "What points up in the picture; not along the line of sight.").or("0.0").ours(),
            Attribute::real("uy", "", "What points up in the picture.").or("0.0").ours(),
            Attribute::real("uz", "", "What points up in the picture.").or("1.0").ours(),
        ],
        field_of_view: [
            Attribute::number(
                "fov",
                Limit::Positive,
                "degrees",
                "Angle between the top and the bottom of the picture, below 180.",
            )
            .or("40.0")
            .ours(),
        ],
    }
}

impl Camera {
    pub(crate) fn read_checked(reader: &mut Reader<'_>, element: Element) -> Camera {
        const TAG: &str = "rigidbody3dcamera";
        let camera: Camera = reader.record(element);
        let sight = [0, 1, 2].map(|k| camera.target[k] - camera.eye[k]);
        let across = cross(sight, camera.up);
        if across == [0.0; 3] {
            let problem = Problem::error(reader.span(TAG, 0, "x"), "a camera that sees nothing")
                .label("`up` and the line from the eye to `tx`, `ty`, `tz` must be two directions");
            reader.problems.push(problem.at(TAG, Some("x")));
        }
        if camera.field_of_view >= 180.0 {
            let problem = Problem::error(reader.span(TAG, 0, "fov"), "`fov` must be below 180 degrees")
                .label(format!("found {}", camera.field_of_view));
            reader.problems.push(problem.at(TAG, Some("fov")));
        }
        camera
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
