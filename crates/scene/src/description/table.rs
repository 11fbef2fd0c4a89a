//! One table for each tag: the macro [`attributes!`] ties the fields of a description to the
//! attributes of its tag. The reader, the writer and the reference page follow from it.
//!
//! A new attribute is a field of the struct and a line of its table, side by side in one file of
//! `description/`.

use crate::number;
use crate::reader::Fields;
use crate::schema::{Attribute, Choice, Presence};
use crate::writer::ElementWriter;

/// What an element of a scene holds.
pub(crate) trait Record: Sized {
    /// The attributes of its tag, in the order of the reference page, which is that of the writer.
    const ATTRIBUTES: &'static [Attribute];

    fn read(fields: &mut Fields) -> Self;
    fn write<'a>(&self, element: ElementWriter<'a>) -> ElementWriter<'a>;
}

/// Makes a struct a [`Record`]: each field with the attributes that hold it.
macro_rules! attributes {
    ($record:ty { $($field:ident: [$($attribute:expr),+ $(,)?]),+ $(,)? }) => {
        impl $crate::description::table::Record for $record {
            const ATTRIBUTES: &'static [$crate::schema::Attribute] = &[$($($attribute),+),+];

            fn read(fields: &mut $crate::reader::Fields) -> Self {
                use $crate::description::table::Value;
                Self { $($field: Value::read(fields, const { &[$($attribute),+] })),+ }
            }

            fn write<'a>(
                &self,
                element: $crate::writer::ElementWriter<'a>,
            ) -> $crate::writer::ElementWriter<'a> {
                use $crate::description::table::Value;
                $(let element = Value::write(&self.$field, element, const { &[$($attribute),+] });)+
                element
            }
        }
    };
}
pub(crate) use attributes;

/// What one or more attributes hold.
pub(crate) trait Value: Sized {
    fn read(fields: &mut Fields, attributes: &[Attribute]) -> Self;
    /// Attributes that the table lets the writer leave out are left out where they have their
    /// default.
    fn write<'a>(&self, element: ElementWriter<'a>, attributes: &[Attribute]) -> ElementWriter<'a>;
}

/// Whether the writer leaves a number out.
fn left_out(attribute: &Attribute, value: f64) -> bool {
    let default = match attribute.presence {
        Presence::Default(default) if attribute.elided => number::whole_real(default).ok(),
        _ => None,
    };
    default.is_some_and(|default| default.to_bits() == value.to_bits())
}

impl Value for f64 {
    fn read(fields: &mut Fields, attributes: &[Attribute]) -> Self {
        fields.real(attributes[0].name)
    }

    fn write<'a>(&self, element: ElementWriter<'a>, attributes: &[Attribute]) -> ElementWriter<'a> {
        if left_out(&attributes[0], *self) { element } else { element.real(attributes[0].name, *self) }
    }
}

impl Value for Option<f64> {
    fn read(fields: &mut Fields, attributes: &[Attribute]) -> Self {
        fields.optional_real(attributes[0].name)
    }

    fn write<'a>(&self, element: ElementWriter<'a>, attributes: &[Attribute]) -> ElementWriter<'a> {
        match self {
            Some(value) => element.real(attributes[0].name, *value),
            None => element,
        }
    }
}

/// Both numbers are written, or none.
impl Value for [f64; 2] {
    fn read(fields: &mut Fields, attributes: &[Attribute]) -> Self {
        [0, 1].map(|k: usize| fields.real(attributes[k].name))
    }

    fn write<'a>(&self, element: ElementWriter<'a>, attributes: &[Attribute]) -> ElementWriter<'a> {
        if self.iter().zip(attributes).all(|(value, attribute)| left_out(attribute, *value)) {
            return element;
        }
        element.real(attributes[0].name, self[0]).real(attributes[1].name, self[1])
    }
}

/// Each number is written for itself.
impl Value for [f64; 3] {
    fn read(fields: &mut Fields, attributes: &[Attribute]) -> Self {
        [0, 1, 2].map(|k: usize| fields.real(attributes[k].name))
    }

    fn write<'a>(&self, element: ElementWriter<'a>, attributes: &[Attribute]) -> ElementWriter<'a> {
        self.iter().zip(attributes).fold(element, |element, (value, attribute)| {
            value.write(element, std::slice::from_ref(attribute))
        })
    }
}

impl Value for usize {
    fn read(fields: &mut Fields, attributes: &[Attribute]) -> Self {
        fields.index(attributes[0].name)
    }

    fn write<'a>(&self, element: ElementWriter<'a>, attributes: &[Attribute]) -> ElementWriter<'a> {
        element.index(attributes[0].name, self)
    }
}

impl Value for u32 {
    fn read(fields: &mut Fields, attributes: &[Attribute]) -> Self {
        fields.count(attributes[0].name)
    }

    fn write<'a>(&self, element: ElementWriter<'a>, attributes: &[Attribute]) -> ElementWriter<'a> {
        if left_out(&attributes[0], f64::from(*self)) {
            return element;
        }
        element.index(attributes[0].name, self)
    }
}

impl Value for bool {
    fn read(fields: &mut Fields, attributes: &[Attribute]) -> Self {
        fields.flag(attributes[0].name)
    }

    fn write<'a>(&self, element: ElementWriter<'a>, attributes: &[Attribute]) -> ElementWriter<'a> {
        if left_out(&attributes[0], f64::from(u8::from(*self))) {
            return element;
        }
        element.flag(attributes[0].name, *self)
    }
}

impl Value for Option<String> {
    fn read(fields: &mut Fields, attributes: &[Attribute]) -> Self {
        fields.text(attributes[0].name)
    }

    fn write<'a>(&self, element: ElementWriter<'a>, attributes: &[Attribute]) -> ElementWriter<'a> {
        match self {
            Some(text) => element.text(attributes[0].name, text),
            None => element,
        }
    }
}

/// A value that scene files give by a name.
pub(crate) trait Named: Copy + 'static {
    /// Every value with its name, in the order of the reference page. Where a value has two names,
    /// the first is written; numbers inside a value are its defaults.
    const ALL: &'static [(Self, Choice)];

    /// The value of a name; the first one for a name that is wrong, which was complained about.
    fn named(name: &str) -> Self {
        let found = Self::ALL.iter().find(|(_, choice)| choice.name == name);
        found.map_or(Self::ALL[0].0, |(value, _)| *value)
    }

    /// The name of a value, whatever the numbers inside it.
    fn name_of(self) -> &'static str {
        let same = |value: &Self| std::mem::discriminant(value) == std::mem::discriminant(&self);
        Self::ALL.iter().find(|(value, _)| same(value)).map_or("", |(_, choice)| choice.name)
    }
}

/// Makes an enum [`Named`]: each value with its name and meaning. `CHOICES` are the names for the
/// table of its tag.
macro_rules! names {
    ($kind:ty { $($value:expr => $choice:expr),+ $(,)? }) => {
        impl $kind {
            /// The names of all values.
            pub(crate) const CHOICES: &'static [$crate::schema::Choice] = &[$($choice),+];

            /// Its name in scene files.
            pub fn name(self) -> &'static str {
                $crate::description::table::Named::name_of(self)
            }
        }

        impl $crate::description::table::Named for $kind {
            const ALL: &'static [(Self, $crate::schema::Choice)] = &[$(($value, $choice)),+];
        }
    };
}
pub(crate) use names;

/// Makes values that are nothing but a name fields of a [`Record`].
macro_rules! named_value {
    ($kind:ty) => {
        impl $crate::description::table::Value for $kind {
            fn read(fields: &mut $crate::reader::Fields, attributes: &[$crate::schema::Attribute]) -> Self {
                $crate::description::table::Named::named(fields.choice(attributes[0].name))
            }

            fn write<'a>(
                &self,
                element: $crate::writer::ElementWriter<'a>,
                attributes: &[$crate::schema::Attribute],
            ) -> $crate::writer::ElementWriter<'a> {
                $crate::description::table::write_name(element, &attributes[0], self.name())
            }
        }
    };
}
pub(crate) use named_value;

/// Writes a name, unless it is the default and may be left out.
pub(crate) fn write_name<'a>(
    element: ElementWriter<'a>,
    attribute: &Attribute,
    name: &'static str,
) -> ElementWriter<'a> {
    if attribute.elided && attribute.presence == Presence::Default(name) {
        return element;
    }
    element.text(attribute.name, name)
}
