//! The Arrow PyCapsule interface.

use super::stream::Stream;
use super::strings::Strings;
use crate::errors::named;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{DataType, Schema};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// A schema for other libraries. The capsule releases what no library has taken over.
pub(super) fn of_schema<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    let schema =
        FFI_ArrowSchema::try_from(schema).map_err(|error| named("Error", error.to_string()))?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

/// A stream for other libraries.
pub(super) fn of_stream(py: Python<'_>, stream: Stream) -> PyResult<Bound<'_, PyCapsule>> {
    let stream = FFI_ArrowArrayStream::new(Box::new(stream));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

/// The form of text that a consumer asks for: that of the first column of text. Consumers convert
/// whatever else they want to have in another type.
pub(super) fn requested_strings(capsule: &Bound<'_, PyCapsule>) -> PyResult<Option<Strings>> {
    let pointer = capsule.pointer_checked(Some(c"arrow_schema"))?.cast::<FFI_ArrowSchema>();
    // SAFETY: a capsule of this name holds an `ArrowSchema`, which lives as long as the capsule: so says
    // the Arrow PyCapsule interface. `pointer_checked` has checked the name.
    let requested = unsafe { pointer.as_ref() };
    if requested.format.is_null() {
        return Ok(None);
    }
    let Ok(schema) = Schema::try_from(requested) else { return Ok(None) };
    let form = |data_type: &DataType| match data_type {
        DataType::Utf8 | DataType::LargeUtf8 => Some(Strings::Plain),
        DataType::Utf8View => Some(Strings::View),
        DataType::Dictionary(..) => Some(Strings::Dictionary),
        _ => None,
    };
    let of_field = |data_type: &DataType| match data_type {
        DataType::List(item) => form(item.data_type()),
        other => form(other),
    };
    Ok(schema.fields().iter().find_map(|field| of_field(field.data_type())))
}
