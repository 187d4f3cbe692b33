//! Arrow data across the border of Python, by the PyCapsule interface.

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{Array as _, RecordBatch, RecordBatchIterator, RecordBatchReader, StructArray};
use arrow_schema::{DataType, SchemaRef};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::errors::arrow_error;

const SCHEMA: &std::ffi::CStr = c"arrow_schema";
const ARRAY: &std::ffi::CStr = c"arrow_array";
const STREAM: &std::ffi::CStr = c"arrow_array_stream";

/// A schema as a capsule.
pub(crate) fn schema<'py>(py: Python<'py>, schema: &SchemaRef) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(&**schema).map_err(arrow_error)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// A record batch as two capsules: its schema and its array.
pub(crate) fn array<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyTuple>> {
    let data = StructArray::from(batch.clone()).into_data();
    let (array, _) = to_ffi(&data).map_err(arrow_error)?;
    let schema = self::schema(py, &batch.schema())?;
    PyTuple::new(py, [schema, PyCapsule::new_with_value(py, array, ARRAY)?])
}

/// Record batches as a capsule.
pub(crate) fn stream<'py>(
    py: Python<'py>,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let reader = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    let stream = FFI_ArrowArrayStream::new(Box::new(reader));
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// The record batches of an object: a batch, a table or a stream of any library with Arrow.
pub(crate) fn batches(object: &Bound<'_, PyAny>) -> PyResult<Vec<RecordBatch>> {
    if object.hasattr("__arrow_c_array__")? {
        let capsules = object.call_method0("__arrow_c_array__")?;
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = capsules.extract()?;
        let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
        let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
        // SAFETY: by the PyCapsule interface, capsules with these names hold valid structures of
        // the C data interface. The array is moved out, which leaves a released one.
        let data = unsafe {
            let array = FFI_ArrowArray::from_raw(array.as_ptr());
            from_ffi(array, schema.as_ref())
        };
        let data = data.map_err(arrow_error)?;
        let DataType::Struct(_) = data.data_type() else {
            return Err(PyTypeError::new_err("the Arrow array is a column, not a record batch"));
        };
        return Ok(vec![RecordBatch::from(StructArray::from(data))]);
    }
    if object.hasattr("__arrow_c_stream__")? {
        let capsule = object.call_method0("__arrow_c_stream__")?;
        let stream = capsule.cast::<PyCapsule>()?.pointer_checked(Some(STREAM))?;
        // SAFETY: by the PyCapsule interface, a capsule with this name holds a valid stream of the
        // C stream interface. It is moved out, which leaves a released one.
        let reader = unsafe {
            RecordBatchStreamReader::from_raw(stream.cast::<FFI_ArrowArrayStream>().as_ptr())
        };
        let reader = reader.map_err(arrow_error)?;
        if !matches!(reader.schema().fields().len(), 1..) {
            return Ok(Vec::new());
        }
        return reader.collect::<Result<_, _>>().map_err(arrow_error);
    }
    Err(PyTypeError::new_err(format!(
        "a batch is an Arrow record batch, such as pyarrow.RecordBatch, not {}",
        object.get_type().name()?
    )))
}
