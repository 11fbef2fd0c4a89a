//! Reads the course's files record by record, in order or at random.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::Path;

use super::input::Input;
use super::{BodyConstants, BodyQuantities, CourseLayout, CourseRecords, Polynomials};
use crate::error::{CourseProblem, TrajectoryError};
use crate::frame::{Contact, ContactKind, Frame, Intermediate, Quantities};

/// Bytes of a collision.
const COLLISION: u64 = 36;

/// Everything that a course file holds about one step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CourseRecord {
    /// The frame. What such files do not hold is NaN (energies of particles, points of contacts) or
    /// 0.
    pub frame: Frame,
    /// Collisions of the record after the impulses, where a step has two; in the course's files
    /// they are those of the final one.
    pub early_contacts: Vec<Contact>,
    /// Polynomials of the record after the impulses, and of the final one; empty unless they are
    /// kept.
    pub polynomials: [Polynomials; 2],
    /// Energies and momenta of each rigid body; empty for particles.
    pub quantities: BodyQuantities,
}

impl CourseRecord {
    /// Whether the step has two records, and the collisions of the first are not these.
    pub fn early_differs(&self, last: &[Contact], two_records: bool) -> bool {
        let held = |c: &Contact| (c.kind, c.first, c.second, c.normal.map(f64::to_bits), c.time.to_bits());
        two_records && !self.early_contacts.iter().map(held).eq(last.iter().map(held))
    }
}

/// Reads a course file with the memory of one record, and of an index where records differ in size.
#[derive(Debug)]
pub struct CourseReader<R = BufReader<File>> {
    input: Input<R>,
    layout: CourseLayout,
    constants: Option<BodyConstants>,
    keep_polynomials: bool,
    /// The frame that [`CourseReader::next_record`] reads next.
    next: u64,
    /// Where the frames begin that were come to so far; only for records of different sizes.
    offsets: Vec<u64>,
}

impl CourseReader {
    /// Opens a file.
    pub fn open(path: &Path, layout: CourseLayout) -> Result<CourseReader, TrajectoryError> {
        let file = File::open(path).map_err(TrajectoryError::io("open", path))?;
        CourseReader::from_source(BufReader::new(file), path, layout)
    }
}

impl<'a> CourseReader<Cursor<&'a [u8]>> {
    /// Reads a file that is in memory.
    pub fn from_bytes(bytes: &'a [u8], layout: CourseLayout) -> Result<Self, TrajectoryError> {
        CourseReader::from_source(Cursor::new(bytes), Path::new("(bytes in memory)"), layout)
    }
}

impl<R: Read + Seek> CourseReader<R> {
    /// Reads from anything that can be read and sought; `path` is for messages.
    pub fn from_source(source: R, path: &Path, layout: CourseLayout) -> Result<Self, TrajectoryError> {
        let input = Input::new(source, path)?;
        let mut reader = CourseReader {
            input,
            layout,
            constants: None,
            keep_polynomials: false,
            next: 0,
            offsets: vec![0],
        };
        if layout.records == CourseRecords::RigidBodies {
            reader.constants = Some(reader.read_constants()?);
        }
        Ok(reader)
    }

    /// The layout that the file is read by.
    pub fn layout(&self) -> &CourseLayout {
        &self.layout
    }

    /// The file, for messages.
    pub fn path(&self) -> &Path {
        self.input.path()
    }

    /// Masses, centres and moments of inertia; nothing for particles.
    pub fn constants(&self) -> Option<&BodyConstants> {
        self.constants.as_ref()
    }

    /// Whether polynomials are kept or passed over; they are passed over at first.
    pub fn keep_polynomials(&mut self, keep: bool) {
        self.keep_polynomials = keep;
    }

    /// Number of frames; goes through the file once where records differ in size.
    pub fn frames(&mut self) -> Result<u64, TrajectoryError> {
        if let Some((first, size)) = self.fixed_sizes() {
            let Some(rest) = self.input.length.checked_sub(first) else {
                return Err(self.cut_off(0, 0, first));
            };
            // Records of no bytes belong to an empty scene, of which there is one frame.
            let later = rest.checked_div(size).unwrap_or(0);
            if rest.checked_rem(size).is_some_and(|over| over > 0) {
                return Err(self.cut_off(1 + later, first + later * size, size));
            }
            return Ok(1 + later);
        }
        let next = self.next;
        let mut record = CourseRecord::default();
        self.go_to(self.offsets.len() as u64 - 1)?;
        while self.next_record(&mut record)? {}
        let frames = self.next;
        self.go_to(next)?;
        Ok(frames)
    }

    /// Reads one frame by its number.
    pub fn record(&mut self, index: u64, record: &mut CourseRecord) -> Result<(), TrajectoryError> {
        self.go_to(index)?;
        if self.next == index && self.next_record(record)? {
            return Ok(());
        }
        let frames = self.frames()?;
        Err(TrajectoryError::NoSuchFrame { path: self.path().to_path_buf(), frame: index, frames })
    }

    /// Reads the next frame; false at the end of the file.
    pub fn next_record(&mut self, record: &mut CourseRecord) -> Result<bool, TrajectoryError> {
        if self.next > 0 && self.input.at_end() {
            return Ok(false);
        }
        let (step, dt) = (self.next.saturating_mul(self.layout.every), self.layout.dt);
        record.frame.step = step;
        record.frame.time = step as f64 * dt;
        record.frame.intermediate = None;
        match self.layout.records {
            CourseRecords::RigidBodies => self.read_bodies(record)?,
            _ => self.read_particles(record)?,
        }
        self.next += 1;
        if self.fixed_sizes().is_none() && self.offsets.len() as u64 == self.next {
            self.offsets.push(self.input.offset);
        }
        Ok(true)
    }

    /// Goes back to the first frame.
    pub fn rewind(&mut self) -> Result<(), TrajectoryError> {
        self.go_to(0)
    }

    /// Bytes of the first frame and of each later one, where these are known beforehand.
    fn fixed_sizes(&self) -> Option<(u64, u64)> {
        let n = self.layout.bodies;
        let words = |per_body: u64, more: u64| n.saturating_mul(8 * per_body).saturating_add(8 * more);
        match self.layout.records {
            CourseRecords::Plain => Some((words(4, 0), words(4, 0))),
            CourseRecords::RigidBodies => Some((words(16, 1), words(12, 1))),
            _ => None,
        }
    }

    fn cut_off(&self, record: u64, offset: u64, needed: u64) -> TrajectoryError {
        let left = self.input.length - offset;
        let problem = CourseProblem::Truncated { needed, left };
        TrajectoryError::Course { path: self.path().to_path_buf(), record, offset, problem }
    }

    /// Goes to the start of a frame, or to the end of the file when it is not there.
    fn go_to(&mut self, index: u64) -> Result<(), TrajectoryError> {
        if let Some((first, size)) = self.fixed_sizes() {
            let offset = if index == 0 { 0 } else { first.saturating_add((index - 1).saturating_mul(size)) };
            let known = if offset < self.input.length { index } else { index.min(self.frames()?) };
            let offset = offset.min(self.input.length);
            self.next = known;
            return self.input.seek(offset, known);
        }
        let known = index.min(self.offsets.len() as u64 - 1);
        self.next = known;
        let number = if self.layout.records.synced_pairs() { (2 * known).saturating_sub(1) } else { known };
        self.input.seek(self.offsets[known as usize], number)?;
        let mut passed = CourseRecord::default();
        while self.next < index && self.next_record(&mut passed)? {}
        Ok(())
    }

    fn read_particles(&mut self, record: &mut CourseRecord) -> Result<(), TrajectoryError> {
        if self.layout.bodies == 0 && self.layout.records == CourseRecords::Plain && !self.input.at_end() {
            let bytes = self.input.left();
            return Err(self.input.problem(CourseProblem::TrailingBytes { bytes }));
        }
        let [early, last] = &mut record.polynomials;
        early.clear();
        last.clear();
        record.early_contacts.clear();
        let frame = &mut record.frame;
        frame.quantities = Quantities::UNKNOWN;
        if self.layout.records.synced_pairs() && self.next > 0 {
            let mut inner = Intermediate::default();
            self.read_state(&mut inner.positions, &mut inner.velocities)?;
            self.read_collisions(&mut record.early_contacts)?;
            self.read_polynomials(early)?;
            self.input.record += 1;
            frame.intermediate = Some(inner);
        }
        self.read_state(&mut frame.positions, &mut frame.velocities)?;
        frame.contacts.clear();
        if self.layout.records.has_collisions() {
            self.read_collisions(&mut frame.contacts)?;
        }
        if self.layout.records.synced_pairs() {
            self.read_polynomials(last)?;
        }
        self.input.record += 1;
        Ok(())
    }

    fn read_state(
        &mut self,
        positions: &mut Vec<f64>,
        velocities: &mut Vec<f64>,
    ) -> Result<(), TrajectoryError> {
        let numbers = self.layout.numbers();
        self.input.expect(numbers.saturating_mul(2), 8)?;
        positions.clear();
        velocities.clear();
        self.input.numbers(numbers, positions)?;
        self.input.numbers(numbers, velocities)
    }

    fn read_collisions(&mut self, contacts: &mut Vec<Contact>) -> Result<(), TrajectoryError> {
        contacts.clear();
        for _ in 0..self.input.count("collisions", COLLISION)? {
            let code = self.input.integer()?;
            let kind =
                kind_of(code).ok_or_else(|| self.input.problem(CourseProblem::UnknownKind { code }))?;
            let (first, second) = (self.read_index()?, self.read_index()?);
            let normal = [self.input.number()?, self.input.number()?, 0.0];
            let time = self.input.number()?;
            contacts.push(Contact {
                kind,
                first,
                second,
                point: [f64::NAN; 3],
                normal,
                gap: f64::NAN,
                time,
                impulse: 0.0,
                friction: [f64::NAN; 3],
            });
        }
        Ok(())
    }

    fn read_index(&mut self) -> Result<u32, TrajectoryError> {
        let index = self.input.integer()?;
        u32::try_from(index).map_err(|_| self.input.problem(CourseProblem::NegativeIndex { index }))
    }

    fn read_polynomials(&mut self, polynomials: &mut Polynomials) -> Result<(), TrajectoryError> {
        for _ in 0..self.input.count("polynomials", 4)? {
            let length = self.input.count("coefficients", 8)?;
            if self.keep_polynomials {
                polynomials.lengths.push(length as u32);
                self.input.numbers(length, &mut polynomials.coefficients)?;
            } else {
                self.input.skip(length, 8)?;
            }
        }
        Ok(())
    }

    /// Reads the block that stands between the first state and its quantities.
    fn read_constants(&mut self) -> Result<BodyConstants, TrajectoryError> {
        let n = self.layout.bodies;
        let mut constants = BodyConstants::default();
        self.input.expect(n.saturating_mul(10), 8)?;
        self.input.skip(n.saturating_mul(6), 8)?;
        self.input.numbers(n, &mut constants.masses)?;
        self.input.numbers(2 * n, &mut constants.centres)?;
        self.input.numbers(n, &mut constants.inertias)?;
        self.input.seek(0, 0)?;
        Ok(constants)
    }

    fn read_bodies(&mut self, record: &mut CourseRecord) -> Result<(), TrajectoryError> {
        let n = self.layout.bodies;
        let (first, later) = self.fixed_sizes().unwrap_or_default();
        self.input.expect(1, if self.next == 0 { first } else { later })?;
        let CourseRecord { frame, quantities, .. } = record;
        frame.positions.clear();
        frame.velocities.clear();
        frame.contacts.clear();
        for _ in 0..n {
            self.input.numbers(3, &mut frame.positions)?;
            self.input.numbers(3, &mut frame.velocities)?;
        }
        if self.next == 0 {
            self.input.skip(n.saturating_mul(4), 8)?;
        }
        quantities.clear();
        for (list, per_body) in quantities.lists().into_iter().zip([2, 1, 1, 1, 1]) {
            self.input.numbers(per_body * n, list)?;
        }
        quantities.potential = self.input.number()?;
        frame.quantities = totals(quantities);
        self.input.record += 1;
        Ok(())
    }
}

/// The kind of collision that a number in a course file stands for; such files know particles only.
fn kind_of(code: i32) -> Option<ContactKind> {
    let kind = u64::try_from(code).ok().and_then(ContactKind::from_code);
    kind.filter(|&kind| kind != ContactKind::BodyBody)
}

/// Sums over all bodies; a file does not say which of them are fixed.
fn totals(bodies: &BodyQuantities) -> Quantities {
    let every_other = |start: usize| bodies.momenta.iter().skip(start).step_by(2).sum::<f64>();
    let sum = |list: &[f64]| list.iter().sum::<f64>();
    Quantities {
        kinetic: sum(&bodies.translational) + sum(&bodies.rotational),
        potential: bodies.potential,
        momentum: [every_other(0), every_other(1), 0.0],
        angular_momentum: [0.0, 0.0, sum(&bodies.orbital) + sum(&bodies.spin)],
        deepest_penetration: f64::NAN,
    }
}

/// Reads a whole course file from memory and gives the number of its frames.
pub fn read_course_bytes(bytes: &[u8], layout: CourseLayout) -> Result<u64, TrajectoryError> {
    let mut reader = CourseReader::from_bytes(bytes, layout)?;
    reader.keep_polynomials(true);
    let (mut record, mut frames) = (CourseRecord::default(), 0);
    while reader.next_record(&mut record)? {
        frames += 1;
    }
    Ok(frames)
}
