//! Attributes of older scenes that do nothing any more: read with a warning, never written.

/// An attribute that is kept only so that older scenes can be read.
#[derive(Debug, Clone, Copy)]
pub struct Retired {
    /// The tags that had it.
    pub tags: &'static [&'static str],
    /// Its name in the file.
    pub name: &'static str,
    /// What holds without it, in words that follow a colon.
    pub instead: &'static str,
}

const PLANE: &str = "rigidbodycollisionhandling";
const SPACE: &str = "rigidbody3dcollisionhandling";

/// The one step of all bodies does what each of these asked for.
const ALL: &[Retired] = &[
    Retired {
        tags: &[PLANE, SPACE],
        name: "order",
        instead: "every step chooses velocities that let nothing overlap, then moves",
    },
    Retired { tags: &[PLANE, SPACE], name: "overlap", instead: "every step moves apart what overlaps" },
    Retired {
        tags: &[PLANE, SPACE],
        name: "timeofcontact",
        instead: "every step answers impacts at their times",
    },
    Retired {
        tags: &[SPACE],
        name: "timetolerance",
        instead: "every step answers impacts at their times, to rounding",
    },
    Retired { tags: &[SPACE], name: "depthtolerance", instead: "every step moves apart what overlaps" },
    Retired {
        tags: &[SPACE],
        name: "threshold",
        instead: "what meets faster than forces push in a step is an impact",
    },
    Retired { tags: &[SPACE], name: "maxpasses", instead: "the work of a step has a bound of its own" },
];

/// The retired attribute of this name of this tag.
pub(crate) fn retired(tag: &str, name: &str) -> Option<&'static Retired> {
    of(tag).find(|retired| retired.name == name)
}

/// The retired attributes of a tag.
pub(super) fn of(tag: &str) -> impl Iterator<Item = &'static Retired> {
    ALL.iter().filter(move |retired| retired.tags.contains(&tag))
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_retired_is_no_attribute_of_a_tag_that_exists() {
        for retired in super::ALL {
            for name in retired.tags {
                let tag = crate::schema::tag(name).expect("a tag of the schema");
                assert!(tag.attribute(retired.name).is_none(), "{name} {}", retired.name);
            }
        }
    }
}
