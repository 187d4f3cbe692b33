//! Tables in memory: rows of matching positions, and groups.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use babson::sink::{GroupTable, GroupValue};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple};

use crate::cells::{TableCell, cell};
use crate::errors::arrow_error;
use crate::{capsules, views};

/// A table in memory. Any consumer of Arrow reads it, by the PyCapsule interface: for instance
/// `pyarrow.table(table)`, `polars.DataFrame(table)` and a query of DuckDB that names its variable.
#[pyclass(frozen, module = "babson", name = "Table")]
pub(crate) struct PyTable {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl PyTable {
    pub(crate) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> PyTable {
        PyTable { schema, batches }
    }

    /// The table of groups.
    pub(crate) fn of_groups(table: &GroupTable) -> PyResult<PyTable> {
        let rows = table.rows();
        let headings: Vec<&str> = table.headings().collect();
        let counts = |count: fn(&babson::sink::GroupRow) -> u64| -> ArrayRef {
            Arc::new(UInt64Array::from_iter_values(rows.iter().map(count)))
        };
        let numbers: [ArrayRef; 9] = [
            counts(|row| row.games()),
            counts(|row| row.positions),
            counts(|row| row.won),
            counts(|row| row.drawn),
            counts(|row| row.lost),
            counts(|row| row.other),
            Arc::new(rows.iter().map(|row| row.score()).collect::<Float64Array>()),
            Arc::new(rows.iter().map(|row| row.performance()).collect::<Int64Array>()),
            Arc::new(Float64Array::from_iter_values(rows.iter().map(|row| row.share()))),
        ];
        let keys = headings.len().saturating_sub(numbers.len());
        let key = |key: usize| group_keys(rows.iter().map(|row| &row.keys[key]).collect());
        let columns: Vec<ArrayRef> = (0..keys).map(key).chain(numbers).collect();
        let fields = headings.iter().zip(&columns);
        let fields: Vec<Field> = fields
            .map(|(heading, column)| Field::new(*heading, column.data_type().clone(), true))
            .collect();
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns).map_err(arrow_error)?;
        Ok(PyTable { schema, batches: vec![batch] })
    }
}

/// The values of a key: numbers, if none of them is a text.
fn group_keys(values: Vec<&GroupValue>) -> ArrayRef {
    if values.iter().any(|value| matches!(value, GroupValue::Text(_))) {
        let text = |value: &GroupValue| match value {
            GroupValue::Text(text) => Some(text.clone()),
            GroupValue::Number(number) => Some(number.to_string()),
            _ => None,
        };
        return Arc::new(values.into_iter().map(text).collect::<StringArray>());
    }
    let number = |value: &GroupValue| match value {
        GroupValue::Number(number) => Some(*number),
        _ => None,
    };
    Arc::new(values.into_iter().map(number).collect::<Int64Array>())
}

/// The columns of batches as lists, by name. Days are `datetime.date`.
fn dict<'py>(
    py: Python<'py>,
    schema: &SchemaRef,
    batches: &[RecordBatch],
) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    let date = py.import("datetime")?.getattr("date")?;
    for (index, field) in schema.fields().iter().enumerate() {
        let list = PyList::empty(py);
        for batch in batches {
            let column = batch.column(index);
            for row in 0..batch.num_rows() {
                match cell(column, row) {
                    TableCell::Integer(days) if *field.data_type() == DataType::Date32 => {
                        // The first day of Python's calendar has the number 1.
                        list.append(date.call_method1("fromordinal", (days + 719_163,))?)?;
                    }
                    cell => list.append(cell)?,
                }
            }
        }
        columns.set_item(field.name(), list)?;
    }
    Ok(columns)
}

#[pymethods]
impl PyTable {
    /// The number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    fn __len__(&self) -> usize {
        self.num_rows()
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // By the interface, a producer that converts nothing ignores it.
        let _ = requested_schema;
        capsules::stream(py, Arc::clone(&self.schema), self.batches.clone())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::schema(py, &self.schema)
    }

    /// The table itself, which any consumer of Arrow reads.
    fn to_arrow(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// The columns as lists, by name.
    fn to_pydict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dict(py, &self.schema, &self.batches)
    }

    /// A `polars.DataFrame`.
    fn to_polars<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("polars")?.getattr("DataFrame")?.call1((this,))
    }

    /// A `pandas.DataFrame`; its columns have the types of Arrow's if pyarrow is installed.
    fn to_pandas<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = this.py();
        let pandas = py.import("pandas")?;
        match py.import("pyarrow") {
            Ok(pyarrow) => pyarrow.call_method1("table", (this,))?.call_method0("to_pandas"),
            Err(_) => pandas.getattr("DataFrame")?.call1((this.get().to_pydict(py)?,)),
        }
    }

    fn __repr__(&self) -> String {
        format!(
            "<babson.Table rows: {}, columns: {}>",
            self.num_rows(),
            self.column_names().join(", ")
        )
    }

    fn _repr_html_(&self, py: Python<'_>) -> String {
        py.detach(|| views::of_table(&self.schema, &self.batches))
    }
}

/// A record batch: an object with `__arrow_c_array__`, which any consumer of Arrow reads.
#[pyclass(frozen, module = "babson", name = "Batch")]
pub(crate) struct PyBatch(pub(crate) RecordBatch);

#[pymethods]
impl PyBatch {
    /// The number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.0.num_rows()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.0.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // As for a table.
        let _ = requested_schema;
        capsules::array(py, &self.0)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::schema(py, &self.0.schema())
    }

    fn __repr__(&self) -> String {
        format!(
            "<babson.Batch rows: {}, columns: {}>",
            self.num_rows(),
            self.column_names().join(", ")
        )
    }
}
