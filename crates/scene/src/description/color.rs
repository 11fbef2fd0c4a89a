//! Colours, of everything that has one.

use super::table::{Record, Value};
use crate::reader::Fields;
use crate::schema::Attribute;
use crate::writer::ElementWriter;

/// A colour, each channel from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Color {
    /// Red.
    pub red: f64,
    /// Green.
    pub green: f64,
    /// Blue.
    pub blue: f64,
}

pub(crate) const RED: Attribute = Attribute::channel("r", "Red.");
pub(crate) const GREEN: Attribute = Attribute::channel("g", "Green.");
pub(crate) const BLUE: Attribute = Attribute::channel("b", "Blue.");

impl Value for Color {
    fn read(fields: &mut Fields, _: &[Attribute]) -> Self {
        Color { red: fields.real("r"), green: fields.real("g"), blue: fields.real("b") }
    }

    fn write<'a>(&self, element: ElementWriter<'a>, _: &[Attribute]) -> ElementWriter<'a> {
        element.real("r", self.red).real("g", self.green).real("b", self.blue)
    }
}

impl Record for Color {
    const ATTRIBUTES: &'static [Attribute] = &[RED, GREEN, BLUE];

    fn read(fields: &mut Fields) -> Self {
        Value::read(fields, Self::ATTRIBUTES)
    }

    fn write<'a>(&self, element: ElementWriter<'a>) -> ElementWriter<'a> {
        Value::write(self, element, Self::ATTRIBUTES)
    }
}

/// A colour given to one object by its index.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct IndexedColor {
    /// Which object, in document order of its own kind, from 0.
    pub index: usize,
    /// Its colour.
    pub color: Color,
}

impl IndexedColor {
    /// The attributes of a tag that colours what an attribute names.
    pub(crate) const fn attributes(index: Attribute) -> [Attribute; 4] {
        match index.course {
            true => [index, RED, GREEN, BLUE],
            false => [index, RED.ours(), GREEN.ours(), BLUE.ours()],
        }
    }

    /// `index` is the name of the attribute that says which object.
    pub(crate) fn read(fields: &mut Fields, index: &str) -> Self {
        IndexedColor { index: fields.index(index), color: Value::read(fields, &[]) }
    }

    pub(crate) fn write<'a>(&self, element: ElementWriter<'a>, index: &str) -> ElementWriter<'a> {
        Value::write(&self.color, element.index(index, self.index), &[])
    }
}
