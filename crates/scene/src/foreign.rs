//! Tags that Carom does not know: which of them change the physics, and of which theme they are.
//!
//! A scene with forces that are left out runs, and is wrong. So what is not known is refused,
//! unless its name says that it is about looks.

use crate::problem::Severity;
use crate::reader::ReadOptions;

/// Words in the names of tags and types of systems that other simulators of the course's family
/// have, and what they are about.
const THEMES: [(&str, &[&str]); 5] = [
    ("fluids", &["fluid", "smoke", "liquid", "water", "vorticity", "pressure", "viscosity", "diffusion"]),
    ("hair", &["hair", "strand"]),
    ("cloth", &["cloth", "shell"]),
    (
        "deformable bodies",
        &[
            "elastic", "deform", "bend", "stretch", "shear", "triangle", "tetra", "cst", "femforce",
            "softbody",
        ],
    ),
    ("crowds", &["boid", "flock", "agent"]),
];

/// Words in the names of tags about looks.
const LOOKS: [&str; 13] = [
    "color",
    "colour",
    "camera",
    "light",
    "texture",
    "material",
    "render",
    "view",
    "path",
    "label",
    "description",
    "background",
    "font",
];

/// Words in the names of tags that say what happens.
const PHYSICS: [&str; 8] =
    ["force", "gravity", "damping", "spring", "constraint", "integrator", "collision", "friction"];

/// The theme that a name belongs to, among those that Carom does not do.
pub(crate) fn theme(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    THEMES.iter().find(|(_, words)| words.iter().any(|word| name.contains(word))).map(|(theme, _)| *theme)
}

/// Whether a tag of this name is about looks alone.
pub(crate) fn is_about_looks(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    LOOKS.iter().any(|word| name.contains(word)) && !PHYSICS.iter().any(|word| name.contains(word))
}

/// How bad an unknown tag is. The course's program passes over every one; what names a force or
/// another theme is an error all the same, because the scene would run without it.
pub(crate) fn severity_of_tag(name: &str, options: &ReadOptions) -> Severity {
    let lower = name.to_ascii_lowercase();
    let changes_physics = theme(name).is_some() || PHYSICS.iter().any(|word| lower.contains(word));
    if is_about_looks(name) && theme(name).is_none() || options.course && !changes_physics {
        options.ignored()
    } else {
        Severity::Error
    }
}

/// How bad it is when a tag or an attribute of this tag has no effect: the scene is not what it
/// seems, except to the course's program.
pub(crate) fn severity_of_loss(tag: &str, options: &ReadOptions) -> Severity {
    if options.course || is_about_looks(tag) { options.ignored() } else { Severity::Error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_their_theme() {
        assert_eq!(theme("elasticbodyspringforce"), Some("deformable bodies"));
        assert_eq!(theme("stablefluidsim"), Some("fluids"));
        assert_eq!(theme("hairforce"), Some("hair"));
        assert_eq!(theme("springforce"), None);
    }

    #[test]
    fn no_tag_of_ours_is_of_another_theme() {
        for tag in crate::schema::tags() {
            assert_eq!(theme(tag.name), None, "{}", tag.name);
        }
    }

    #[test]
    fn looks_and_physics_are_distinguished() {
        let options = ReadOptions::default();
        for (name, severity) in [
            ("trianglecolor", Severity::Error),
            ("fogcolor", Severity::Warning),
            ("springforcecolor", Severity::Error),
            ("foo", Severity::Error),
            ("camera2", Severity::Warning),
        ] {
            assert_eq!(severity_of_tag(name, &options), severity, "{name}");
        }
        let course = ReadOptions { course: true, strict: false };
        for (name, severity) in
            [("foo", Severity::Warning), ("windforce", Severity::Error), ("fluidsource", Severity::Error)]
        {
            assert_eq!(severity_of_tag(name, &course), severity, "{name}");
        }
    }
}
