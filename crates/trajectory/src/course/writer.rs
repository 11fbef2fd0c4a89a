//! Writes the course's files.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::BodyQuantities;
use super::{CourseLayout, CourseRecords};
use super::{CourseRecord, Polynomials};
use crate::error::TrajectoryError;
use crate::frame::{Contact, ContactKind, Frame};

/// Writes frames as a course file. The lists of polynomials are empty unless they are given.
#[derive(Debug)]
pub struct CourseWriter<W> {
    out: W,
    path: PathBuf,
    layout: CourseLayout,
    masses: Vec<f64>,
    inertias: Vec<f64>,
    quantities: BodyQuantities,
    bytes: Vec<u8>,
    frames: u64,
}

impl<W: Write> CourseWriter<W> {
    /// Starts a file; `path` is for messages. `masses` and `inertias` are needed for rigid bodies
    /// only.
    pub fn new(
        out: W,
        path: &Path,
        layout: CourseLayout,
        masses: &[f64],
        inertias: &[f64],
    ) -> Result<CourseWriter<W>, TrajectoryError> {
        let path = path.to_path_buf();
        let n = layout.bodies;
        if layout.records == CourseRecords::RigidBodies
            && (masses.len() as u64 != n || inertias.len() as u64 != n)
        {
            let (m, i) = (masses.len(), inertias.len());
            let reason =
                format!("{n} bodies need as many masses and moments of inertia, there are {m} and {i}");
            return Err(TrajectoryError::WrongFrame { path, reason });
        }
        Ok(CourseWriter {
            out,
            path,
            layout,
            masses: masses.to_vec(),
            inertias: inertias.to_vec(),
            quantities: BodyQuantities::default(),
            bytes: Vec::new(),
            frames: 0,
        })
    }

    /// Writes a frame. The first one is the initial state: it has no collisions in these files.
    ///
    /// The potential energy of rigid bodies is that of the frame; in the course's files it counts
    /// fixed bodies too.
    pub fn write(&mut self, frame: &Frame) -> Result<(), TrajectoryError> {
        self.check(frame)?;
        if self.layout.records == CourseRecords::RigidBodies {
            let mut quantities = std::mem::take(&mut self.quantities);
            let potential = frame.quantities.potential;
            quantities.derive(&frame.positions, &frame.velocities, &self.masses, &self.inertias, potential);
            self.put_bodies(frame, &quantities);
            self.quantities = quantities;
        } else {
            let contacts = self.listed(frame);
            self.put_particles(frame, (contacts, contacts), [None, None])?;
        }
        self.hand_over()
    }

    /// Writes a frame with its polynomials, which are asked for where the layout holds them.
    pub fn write_frame(
        &mut self,
        frame: &Frame,
        polynomials: crate::export::PolynomialsOf<'_>,
    ) -> Result<(), TrajectoryError> {
        if !self.layout.records.synced_pairs() {
            return self.write(frame);
        }
        self.check(frame)?;
        let [early, last] = polynomials(frame);
        let contacts = self.listed(frame);
        self.put_particles(frame, (contacts, contacts), [Some(&early), Some(&last)])?;
        self.hand_over()
    }

    /// The collisions that the file lists: none under `hybrid`.
    fn listed<'f>(&self, frame: &'f Frame) -> &'f [Contact] {
        if self.layout.records == CourseRecords::Hybrid { &[] } else { &frame.contacts }
    }

    /// Writes a record as it was read, with its polynomials and its quantities.
    pub fn write_record(&mut self, record: &CourseRecord) -> Result<(), TrajectoryError> {
        self.check(&record.frame)?;
        if self.layout.records == CourseRecords::RigidBodies {
            self.put_bodies(&record.frame, &record.quantities);
        } else {
            let [early, last] = &record.polynomials;
            let contacts = (record.early_contacts.as_slice(), record.frame.contacts.as_slice());
            self.put_particles(&record.frame, contacts, [Some(early), Some(last)])?;
        }
        self.hand_over()
    }

    fn check(&self, frame: &Frame) -> Result<(), TrajectoryError> {
        let numbers = self.layout.numbers();
        let inner = frame.intermediate.as_ref();
        let mut lists = vec![&frame.positions, &frame.velocities];
        lists.extend(inner.into_iter().flat_map(|i| [&i.positions, &i.velocities]));
        match lists.into_iter().find(|list| list.len() as u64 != numbers) {
            None => Ok(()),
            Some(list) => {
                Err(self.misfit(format!("{} numbers in a state that should have {numbers}", list.len())))
            }
        }
    }

    fn misfit(&self, reason: String) -> TrajectoryError {
        TrajectoryError::WrongFrame { path: self.path.clone(), reason }
    }

    fn put_particles(
        &mut self,
        frame: &Frame,
        (early_contacts, contacts): (&[Contact], &[Contact]),
        [early, last]: [Option<&Polynomials>; 2],
    ) -> Result<(), TrajectoryError> {
        let records = self.layout.records;
        if records.synced_pairs() && self.frames > 0 {
            let state = frame.intermediate.as_ref().map(|i| (&i.positions, &i.velocities));
            let (positions, velocities) = state.unwrap_or((&frame.positions, &frame.velocities));
            self.put_numbers(positions);
            self.put_numbers(velocities);
            self.put_collisions(early_contacts)?;
            self.put_polynomials(early)?;
        }
        self.put_numbers(&frame.positions);
        self.put_numbers(&frame.velocities);
        if records.has_collisions() {
            self.put_collisions(if self.frames > 0 { contacts } else { &[] })?;
        }
        if records.synced_pairs() {
            self.put_polynomials(last)?;
        }
        Ok(())
    }

    fn put_collisions(&mut self, contacts: &[Contact]) -> Result<(), TrajectoryError> {
        self.put_integer(contacts.len())?;
        for contact in contacts {
            if contact.kind == ContactKind::BodyBody {
                return Err(self.misfit("the course's particle files have no contacts of bodies".to_string()));
            }
            self.put_integer(contact.kind.code() as usize)?;
            self.put_integer(contact.first as usize)?;
            self.put_integer(contact.second as usize)?;
            self.put_numbers(&[contact.normal[0], contact.normal[1], contact.time]);
        }
        Ok(())
    }

    fn put_polynomials(&mut self, polynomials: Option<&Polynomials>) -> Result<(), TrajectoryError> {
        let Some(polynomials) = polynomials else { return self.put_integer(0) };
        self.put_integer(polynomials.lengths.len())?;
        let mut rest = polynomials.coefficients.as_slice();
        for &length in &polynomials.lengths {
            let Some((these, others)) = rest.split_at_checked(length as usize) else {
                return Err(self.misfit("fewer coefficients than the polynomials should have".to_string()));
            };
            self.put_integer(length as usize)?;
            self.put_numbers(these);
            rest = others;
        }
        Ok(())
    }

    fn put_bodies(&mut self, frame: &Frame, quantities: &BodyQuantities) {
        for (x, v) in frame.positions.chunks_exact(3).zip(frame.velocities.chunks_exact(3)) {
            self.put_numbers(x);
            self.put_numbers(v);
        }
        if self.frames == 0 {
            let (masses, inertias) = (std::mem::take(&mut self.masses), std::mem::take(&mut self.inertias));
            self.put_numbers(&masses);
            frame.positions.chunks_exact(3).for_each(|x| self.put_numbers(&x[..2]));
            self.put_numbers(&inertias);
            (self.masses, self.inertias) = (masses, inertias);
        }
        quantities.named().iter().for_each(|(_, _, list)| self.put_numbers(list));
        self.put_numbers(&[quantities.potential]);
    }

    fn put_numbers(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|x| self.bytes.extend_from_slice(&x.to_le_bytes()));
    }

    fn put_integer(&mut self, value: usize) -> Result<(), TrajectoryError> {
        let value = i32::try_from(value)
            .map_err(|_| self.misfit(format!("{value} does not fit the 32 bits of the course's files")))?;
        self.bytes.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }

    fn hand_over(&mut self) -> Result<(), TrajectoryError> {
        let written = self.out.write_all(&self.bytes);
        self.bytes.clear();
        self.frames += 1;
        written.map_err(TrajectoryError::io("write", &self.path))
    }
}
