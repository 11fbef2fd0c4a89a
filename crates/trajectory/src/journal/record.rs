//! One frame as bytes. All numbers are eight bytes, little-endian; the layout is in
//! `docs/trajectory-format.md`.

use super::hash::RunHash;
use super::header::Field;
use crate::frame::{Contact, ContactKind, Diagnostics, Family, Frame, Impact, Intermediate};

/// First bytes of a frame's record.
pub(crate) const FRAME_TAG: [u8; 4] = *b"FRAM";
/// Bytes that every record has before its state.
pub(crate) const FIXED: usize = 280;
/// The same in files of version 1, which end before [`CONTACT_ROWS`].
pub(crate) const FIXED_1: usize = 200;
/// Bytes of the start of a record, enough to check its length.
pub(crate) const START: usize = 24;
/// Bytes of one contact.
pub(crate) const CONTACT: usize = 120;
/// The same in files of versions 1 and 2, which end before the gap.
pub(crate) const CONTACT_2: usize = 88;
/// Largest record that is written or read: the reader's bound on memory.
pub const MAX_RECORD_BYTES: u64 = 1 << 30;

const CHAIN: usize = 24;
/// Where the numbers begin that version 1 does not have.
const CONTACT_ROWS: usize = FIXED_1;
const HAS_INTERMEDIATE: u64 = 1;
const KNOWS_IMPACT: u64 = 2;
const HAS_IMPACT: u64 = 4;
/// Stands for a count that is not known.
const NO_COUNT: u64 = u64::MAX;

/// How many numbers the positions of a frame have, and its velocities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Bytes before the state: [`FIXED`], or what files of an older version have.
    pub(crate) fixed: usize,
    /// Bytes of a contact: [`CONTACT`], or what files of an older version have.
    pub(crate) contact: usize,
    pub(crate) positions: usize,
    pub(crate) velocities: usize,
}

impl Shape {
    /// Why a frame does not fit, if it does not.
    pub(crate) fn misfit(self, frame: &Frame) -> Option<String> {
        let inner = frame.intermediate.as_ref();
        let (positions, velocities) = (self.positions, self.velocities);
        let lengths = [
            ("positions", frame.positions.len(), positions),
            ("velocities", frame.velocities.len(), velocities),
            ("intermediate positions", inner.map_or(positions, |i| i.positions.len()), positions),
            ("intermediate velocities", inner.map_or(velocities, |i| i.velocities.len()), velocities),
        ];
        if let Some((name, length, wanted)) =
            lengths.into_iter().find(|&(_, length, wanted)| length != wanted)
        {
            return Some(format!("it has {length} numbers in its {name}, the file {wanted}"));
        }
        let intermediate = frame.intermediate.is_some();
        let bytes = self.record_bytes(frame.contacts.len() as u64, frame.memory.len() as u64, intermediate);
        (bytes > u128::from(MAX_RECORD_BYTES)).then(|| format!("its record would have {bytes} bytes"))
    }

    fn numbers(self) -> usize {
        self.positions + self.velocities
    }

    fn record_bytes(self, contacts: u64, memory: u64, intermediate: bool) -> u128 {
        let states = if intermediate { 2 } else { 1 };
        self.fixed as u128
            + 8 * states * self.numbers() as u128
            + self.contact as u128 * u128::from(contacts)
            + 8 * u128::from(memory)
    }
}

/// Appends the record of a frame to a buffer and gives the frame's link in the chain of hashes.
pub(crate) fn encode(buffer: &mut Vec<u8>, frame: &Frame, sequence: u64, before: &RunHash) -> RunHash {
    let start = buffer.len();
    buffer.extend_from_slice(&FRAME_TAG);
    buffer.extend_from_slice(&[0; 12]);
    put_u64(buffer, sequence);
    buffer.extend_from_slice(&[0; 32]);
    put_u64(buffer, frame.step);
    put_f64(buffer, frame.time);
    let q = &frame.quantities;
    put_f64(buffer, q.kinetic);
    put_f64(buffer, q.potential);
    put_all(buffer, &q.momentum);
    put_all(buffer, &q.angular_momentum);
    put_f64(buffer, q.deepest_penetration);
    let d = &frame.diagnostics;
    put_f64(buffer, d.residual);
    put_u64(buffer, d.status.into());
    put_u64(buffer, d.iterations.into());
    put_u64(buffer, d.active_contacts.into());
    put_u64(buffer, frame.contacts.len() as u64);
    put_u64(buffer, frame.memory.len() as u64);
    let intermediate = if frame.intermediate.is_some() { HAS_INTERMEDIATE } else { 0 };
    put_u64(buffer, intermediate | impact_flags(&d.impact));
    put_u64(buffer, d.contact_rows.map_or(NO_COUNT, u64::from));
    put_u64(buffer, d.largest_island.map_or(NO_COUNT, u64::from));
    put_all(buffer, &d.impact.kinetic());
    put_all(buffer, &d.impact.momentum_change());
    put_all(buffer, &d.impact.angular_momentum_change());
    put_all(buffer, &frame.positions);
    put_all(buffer, &frame.velocities);
    let state_end = buffer.len();
    for contact in &frame.contacts {
        put_u64(buffer, contact.kind.code().into());
        put_u64(buffer, contact.first.into());
        put_u64(buffer, contact.second.into());
        put_all(buffer, &contact.point);
        put_all(buffer, &contact.normal);
        put_f64(buffer, contact.time);
        put_f64(buffer, contact.impulse);
        put_f64(buffer, contact.gap);
        put_all(buffer, &contact.friction);
    }
    if let Some(inner) = &frame.intermediate {
        put_all(buffer, &inner.positions);
        put_all(buffer, &inner.velocities);
    }
    put_all(buffer, &frame.memory);

    let hash = before.extended(frame.step, &buffer[start + FIXED..state_end]);
    let length = (buffer.len() - start) as u64;
    buffer[start + 8..start + 16].copy_from_slice(&length.to_le_bytes());
    buffer[start + CHAIN..start + CHAIN + 32].copy_from_slice(&hash.0);
    let crc = crc32fast::hash(&buffer[start + 8..]);
    buffer[start + 4..start + 8].copy_from_slice(&crc.to_le_bytes());
    hash
}

fn impact_flags(impact: &Impact) -> u64 {
    match impact {
        Impact::Unknown => 0,
        Impact::None => KNOWS_IMPACT,
        Impact::Happened { .. } => KNOWS_IMPACT | HAS_IMPACT,
    }
}

/// Length of the record that begins with these bytes, when they can begin frame number `sequence`.
pub(crate) fn length(start: &[u8; START], sequence: u64, shape: Shape, left: u64) -> Result<u64, String> {
    if start[..4] != FRAME_TAG {
        return Err("a frame should begin here".to_string());
    }
    let length = u64_at(start, 8);
    let least = shape.record_bytes(0, 0, false) as u64;
    if length < least || !length.is_multiple_of(8) || length > MAX_RECORD_BYTES {
        return Err(format!("its length {length} cannot be"));
    }
    if length > left {
        return Err(format!("it has {length} bytes, the file only {left} more"));
    }
    let found = u64_at(start, 16);
    if found != sequence {
        return Err(format!("it is numbered {found}"));
    }
    Ok(length)
}

/// The link in the chain of hashes that a whole record carries.
pub(crate) fn stored_hash(record: &[u8]) -> RunHash {
    let mut hash = [0; 32];
    hash.copy_from_slice(&record[CHAIN..CHAIN + 32]);
    RunHash(hash)
}

/// The link that a whole record should carry after `before`.
pub(crate) fn computed_hash(record: &[u8], shape: Shape, before: &RunHash) -> RunHash {
    before.extended(u64_at(record, 56), &record[shape.fixed..shape.fixed + 8 * shape.numbers()])
}

/// Reads a record whose length was checked by [`length`] into a frame, reusing its memory.
pub(crate) fn decode(record: &[u8], shape: Shape, frame: &mut Frame) -> Result<(), String> {
    if u32_at(record, 4) != crc32fast::hash(&record[8..]) {
        return Err("its checksum does not match".to_string());
    }
    let (contacts, memory, flags) = (u64_at(record, 176), u64_at(record, 184), u64_at(record, 192));
    let intermediate = flags & HAS_INTERMEDIATE != 0;
    let known = if shape.fixed == FIXED_1 { 0 } else { KNOWS_IMPACT | HAS_IMPACT };
    if flags & !(HAS_INTERMEDIATE | known) != 0
        || shape.record_bytes(contacts, memory, intermediate) != record.len() as u128
    {
        return Err("its counts do not fit its length".to_string());
    }
    frame.step = u64_at(record, 56);
    let mut fields = Fields { bytes: record, at: 64 };
    frame.time = fields.number();
    let q = &mut frame.quantities;
    q.kinetic = fields.number();
    q.potential = fields.number();
    q.momentum = fields.three();
    q.angular_momentum = fields.three();
    q.deepest_penetration = fields.number();
    let d = &mut frame.diagnostics;
    d.residual = fields.number();
    d.status = fields.small()?;
    d.iterations = fields.small()?;
    d.active_contacts = fields.small()?;
    fields.later_diagnostics(shape, flags, d)?;
    fields.at = shape.fixed;
    fields.fill(&mut frame.positions, shape.positions);
    fields.fill(&mut frame.velocities, shape.velocities);
    frame.contacts.clear();
    for _ in 0..contacts {
        frame.contacts.push(fields.contact(shape)?);
    }
    if intermediate {
        let inner = frame.intermediate.get_or_insert_with(Intermediate::default);
        fields.fill(&mut inner.positions, shape.positions);
        fields.fill(&mut inner.velocities, shape.velocities);
    } else {
        frame.intermediate = None;
    }
    fields.fill(&mut frame.memory, memory as usize);
    Ok(())
}

/// Goes through a record whose length is known to suffice.
struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Fields<'_> {
    fn integer(&mut self) -> u64 {
        let value = u64_at(self.bytes, self.at);
        self.at += 8;
        value
    }

    fn small(&mut self) -> Result<u32, String> {
        let value = self.integer();
        u32::try_from(value).map_err(|_| format!("the number {value} does not fit 32 bits"))
    }

    fn count(&mut self) -> Result<Option<u32>, String> {
        match u64_at(self.bytes, self.at) {
            NO_COUNT => {
                self.at += 8;
                Ok(None)
            }
            _ => self.small().map(Some),
        }
    }

    fn number(&mut self) -> f64 {
        f64::from_bits(self.integer())
    }

    fn three(&mut self) -> [f64; 3] {
        [self.number(), self.number(), self.number()]
    }

    fn fill(&mut self, numbers: &mut Vec<f64>, count: usize) {
        numbers.clear();
        numbers.extend((0..count).map(|_| self.number()));
    }

    /// What version 1 does not have.
    fn later_diagnostics(&mut self, shape: Shape, flags: u64, d: &mut Diagnostics) -> Result<(), String> {
        if shape.fixed == FIXED_1 {
            (d.contact_rows, d.largest_island, d.impact) = (None, None, Impact::Unknown);
            return Ok(());
        }
        self.at = CONTACT_ROWS;
        d.contact_rows = self.count()?;
        d.largest_island = self.count()?;
        d.impact = match (flags & KNOWS_IMPACT != 0, flags & HAS_IMPACT != 0) {
            (false, false) => Impact::Unknown,
            (true, false) => Impact::None,
            (true, true) => Impact::Happened {
                kinetic_before: self.number(),
                kinetic_after: self.number(),
                momentum_change: self.three(),
                angular_momentum_change: self.three(),
            },
            (false, true) => return Err("its flags contradict each other".to_string()),
        };
        Ok(())
    }

    fn contact(&mut self, shape: Shape) -> Result<Contact, String> {
        let code = self.integer();
        let kind =
            ContactKind::from_code(code).ok_or_else(|| format!("there is no contact of kind {code}"))?;
        let mut contact = Contact {
            kind,
            first: self.small()?,
            second: self.small()?,
            point: self.three(),
            normal: self.three(),
            time: self.number(),
            impulse: self.number(),
            gap: f64::NAN,
            friction: [f64::NAN; 3],
        };
        if shape.contact != CONTACT_2 {
            (contact.gap, contact.friction) = (self.number(), self.three());
        }
        Ok(contact)
    }
}

/// The table of a record's entries that each header carries.
pub(crate) fn fields(family: Family, bodies: u64) -> Vec<Field> {
    let positions = bodies.saturating_mul(family.coordinates() as u64);
    let velocities = bodies.saturating_mul(family.degrees_of_freedom() as u64);
    let (position, velocity) = match family {
        Family::Particles => ("length: x y for each", "length/s: vx vy for each"),
        Family::RigidBodies => {
            ("length and rad: x y theta for each", "length/s and rad/s: vx vy omega for each")
        }
        Family::SpatialBodies => (
            "length and 1: x y z and quaternion w x y z for each",
            "length/s and rad/s: vx vy vz and omega x y z for each",
        ),
    };
    let rows = [
        ("record_length", "u64", 8, 1, "byte"),
        ("sequence", "u64", 16, 1, ""),
        ("chain_sha256", "bytes", CHAIN as u64, 32, ""),
        ("step", "u64", 56, 1, ""),
        ("time", "f64", 64, 1, "s"),
        ("kinetic", "f64", 72, 1, "mass length^2/s^2"),
        ("potential", "f64", 80, 1, "mass length^2/s^2"),
        ("momentum", "f64", 88, 3, "mass length/s"),
        ("angular_momentum", "f64", 112, 3, "mass length^2/s"),
        ("deepest_penetration", "f64", 136, 1, "length"),
        ("residual", "f64", 144, 1, ""),
        ("status", "i64", 152, 1, ""),
        ("iterations", "i64", 160, 1, ""),
        ("active_contacts", "i64", 168, 1, ""),
        ("contact_count", "i64", 176, 1, ""),
        ("memory_count", "i64", 184, 1, ""),
        ("flags", "i64", 192, 1, ""),
        ("contact_rows", "i64", CONTACT_ROWS as u64, 1, ""),
        ("largest_island", "i64", 208, 1, ""),
        ("kinetic_before", "f64", 216, 1, "mass length^2/s^2"),
        ("kinetic_after", "f64", 224, 1, "mass length^2/s^2"),
        ("momentum_change", "f64", 232, 3, "mass length/s"),
        ("angular_momentum_change", "f64", 256, 3, "mass length^2/s"),
        ("positions", "f64", FIXED as u64, positions, position),
        (
            "velocities",
            "f64",
            (FIXED as u64).saturating_add(positions.saturating_mul(8)),
            velocities,
            velocity,
        ),
    ];
    rows.into_iter()
        .map(|(name, kind, offset, count, unit)| Field {
            name: name.to_string(),
            kind: kind.to_string(),
            offset,
            count,
            unit: unit.to_string(),
        })
        .collect()
}

pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word)
}

pub(crate) fn put_u64(buffer: &mut Vec<u8>, value: u64) {
    buffer.extend_from_slice(&value.to_le_bytes());
}

pub(crate) fn put_f64(buffer: &mut Vec<u8>, value: f64) {
    buffer.extend_from_slice(&value.to_le_bytes());
}

pub(crate) fn put_all(buffer: &mut Vec<u8>, values: &[f64]) {
    values.iter().for_each(|&value| put_f64(buffer, value));
}
