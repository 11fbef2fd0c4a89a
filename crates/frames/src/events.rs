//! What began to touch, what still touches, and what has parted, from step to step.

use crate::frame::{Contact, ContactKind};

/// Where a touch is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Phase {
    /// The two did not touch in the step before.
    Begin,
    /// They touched in the step before, too.
    Persist,
    /// They touched in the step before, and no more.
    End,
}

/// Two things that touch, however many points they touch in.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactEvent {
    /// Where the touch is in its life.
    pub phase: Phase,
    /// What kind of pair.
    pub kind: ContactKind,
    /// The particle or body; the lower index of a pair of one kind.
    pub first: u32,
    /// The other one.
    pub second: u32,
    /// Sum of the impulses along normals in the step; 0 at an end.
    pub impulse: f64,
    /// Sum of the impulses of friction on the second.
    pub friction: [f64; 3],
    /// In how many places they touched, or how often in the step.
    pub contacts: u32,
}

type Key = (ContactKind, u32, u32);

impl ContactEvent {
    fn key(&self) -> Key {
        (self.kind, self.first, self.second)
    }
}

/// Tells events from the contacts of one step after the other, live or from a file.
///
/// ```
/// use carom_frames::{Contact, ContactEvents, ContactKind, Phase};
///
/// let touch = Contact {
///     kind: ContactKind::BodyBody, first: 0, second: 1, point: [0.0; 3], normal: [0.0, 1.0, 0.0],
///     gap: 0.0, time: 0.0, impulse: 2.0, friction: [0.0; 3],
/// };
/// let mut events = ContactEvents::default();
/// let changes = events.update(&[touch, touch]);
/// assert_eq!((changes[0].phase, changes[0].impulse, changes[0].contacts), (Phase::Begin, 4.0, 2));
/// assert_eq!(events.update(&[touch])[0].phase, Phase::Persist);
/// assert_eq!(events.update(&[])[0].phase, Phase::End);
/// assert!(events.update(&[]).is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContactEvents {
    before: Vec<Key>,
    events: Vec<ContactEvent>,
}

impl ContactEvents {
    /// Takes the contacts of the next step and gives its events, in the order of kind, first and
    /// second.
    pub fn update(&mut self, contacts: &[Contact]) -> &[ContactEvent] {
        self.before.clear();
        let touching = self.events.iter().filter(|event| event.phase != Phase::End);
        self.before.extend(touching.map(ContactEvent::key));
        self.events.clear();
        self.events.extend(contacts.iter().map(|contact| ContactEvent {
            phase: Phase::Begin,
            kind: contact.kind,
            first: contact.first,
            second: contact.second,
            impulse: contact.impulse,
            friction: contact.friction,
            contacts: 1,
        }));
        // Stable: the sums have the order of the contacts.
        self.events.sort_by_key(ContactEvent::key);
        self.events.dedup_by(|next, kept| {
            let same = next.key() == kept.key();
            if same {
                kept.impulse += next.impulse;
                (0..3).for_each(|k| kept.friction[k] += next.friction[k]);
                kept.contacts += 1;
            }
            same
        });
        for event in &mut self.events {
            if self.before.binary_search(&event.key()).is_ok() {
                event.phase = Phase::Persist;
            }
        }
        let now = self.events.len();
        for &(kind, first, second) in &self.before {
            let key = (kind, first, second);
            if self.events[..now].binary_search_by_key(&key, ContactEvent::key).is_err() {
                let (impulse, friction) = (0.0, [0.0; 3]);
                let event =
                    ContactEvent { phase: Phase::End, kind, first, second, impulse, friction, contacts: 0 };
                self.events.push(event);
            }
        }
        self.events.sort_by_key(ContactEvent::key);
        &self.events
    }

    /// The events of the last update.
    pub fn last(&self) -> &[ContactEvent] {
        &self.events
    }
}
