//! Columns of text, in the three forms that Arrow has for it.
//!
//! A text that many rows share is made once, in an array of all words or all names; rows are taken from
//! that. In views and dictionaries, the text itself is not copied then.
//!
//! Arrow's text is Unicode. Bytes of names that are not are written `\xHH`, as Python's
//! `backslashreplace` writes them.

use crate::errors::named;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Int32Array, PrimitiveArray, StringArray, StringViewArray,
};
use arrow_schema::{ArrowError, DataType};
use arrow_select::take::take;
use pyo3::prelude::*;
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

/// The form of text in batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strings {
    /// What every consumer can read.
    Plain,
    /// Views into shared text: what polars has itself.
    View,
    /// Numbers of distinct texts.
    Dictionary,
}

impl Strings {
    pub(crate) fn named(name: &str) -> PyResult<Self> {
        match name {
            "plain" => Ok(Self::Plain),
            "view" => Ok(Self::View),
            "dictionary" => Ok(Self::Dictionary),
            _ => Err(named("InvalidRequest", format!("{name:?} is no form of text"))),
        }
    }

    /// The form for text that does not repeat.
    pub(super) fn of_text(self) -> Self {
        if self == Self::Dictionary { Self::Plain } else { self }
    }

    pub(super) fn data_type(self) -> DataType {
        match self {
            Self::Plain => DataType::Utf8,
            Self::View => DataType::Utf8View,
            Self::Dictionary => DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into()),
        }
    }

    /// A column of these texts.
    pub(super) fn column<'t>(
        self,
        texts: impl ExactSizeIterator<Item = Cow<'t, str>>,
    ) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Self::Plain => Arc::new(plain(texts)?),
            Self::View => Arc::new(StringViewArray::from_iter_values(texts)),
            Self::Dictionary => {
                let mut words = arrow_array::builder::StringDictionaryBuilder::<Int32Type>::new();
                for text in texts {
                    words.append(text)?;
                }
                Arc::new(words.finish())
            }
        })
    }
}

/// Plain strings. An array of them holds at most 2 GiB.
fn plain<'t>(
    texts: impl ExactSizeIterator<Item = Cow<'t, str>>,
) -> Result<StringArray, ArrowError> {
    let mut offsets = Vec::with_capacity(texts.len() + 1);
    offsets.push(0);
    let mut bytes = Vec::new();
    for text in texts {
        bytes.extend_from_slice(text.as_bytes());
        let end = i32::try_from(bytes.len()).map_err(|_| {
            ArrowError::InvalidArgumentError("the text of one batch exceeds 2 GiB".to_owned())
        })?;
        offsets.push(end);
    }
    StringArray::try_new(arrow_buffer::OffsetBuffer::new(offsets.into()), bytes.into(), None)
}

/// Texts that rows name by number.
#[derive(Debug)]
pub(super) struct Shared {
    texts: ArrayRef,
    strings: Strings,
}

impl Shared {
    pub(super) fn new<'t>(
        strings: Strings,
        texts: impl ExactSizeIterator<Item = Cow<'t, str>>,
    ) -> Result<Self, ArrowError> {
        let texts: ArrayRef = match strings {
            Strings::View => Arc::new(StringViewArray::from_iter_values(texts)),
            Strings::Plain | Strings::Dictionary => Arc::new(plain(texts)?),
        };
        Ok(Self { texts, strings })
    }

    /// A column of the texts with these numbers.
    pub(super) fn column(
        &self,
        numbers: impl Iterator<Item = u32>,
    ) -> Result<ArrayRef, ArrowError> {
        let numbers: Int32Array =
            PrimitiveArray::from_iter_values(numbers.map(|number| number as i32));
        match self.strings {
            Strings::Dictionary => {
                let coded = DictionaryArray::<Int32Type>::try_new(numbers, self.texts.clone())?;
                Ok(Arc::new(coded))
            }
            Strings::Plain | Strings::View => take(self.texts.as_ref(), &numbers, None),
        }
    }
}

/// Bytes as text; those that are not Unicode are written `\xHH`.
pub(super) fn unicode(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            write!(out, "\\x{byte:02x}").expect("memory takes what is written");
        }
    }
    Cow::Owned(out)
}
