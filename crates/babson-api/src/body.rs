//! The body of a request: JSON whose errors name the field, in the words of JSON.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, Deserializer, Expected, IntoDeserializer, MapAccess, Unexpected, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::Value;
use serde_json::error::Category;

use crate::limits::MAX_SHOWN_VALUE;
use crate::{ApiError, ErrorCode};

/// Reads the body of a request.
///
/// # Errors
/// The text is not JSON, a field is missing, unknown or there twice, or a value has another type.
///
/// ```
/// use babson_api::{SearchRequest, body};
///
/// let request: SearchRequest = body(r#"{"query": "mate", "limit": 5}"#)?;
/// assert_eq!((request.limit, request.games), (Some(5), false));
/// let error = body::<SearchRequest>(r#"{"query": "mate", "limit": "5"}"#).unwrap_err();
/// let expected = "the field `limit` must be a whole number from 0 on, not \"5\"";
/// assert_eq!(error.message, expected);
/// # Ok::<(), babson_api::ApiError>(())
/// ```
pub fn body<T: DeserializeOwned>(text: &str) -> Result<T, ApiError> {
    let wrong = |message: String| ApiError::new(ErrorCode::Request, message);
    let fields: Fields =
        serde_json::from_str(text).map_err(|error| wrong(json_error(text, &error)))?;
    let values = fields
        .0
        .iter()
        .map(|(name, value)| (name.as_str(), FieldValue { name: name.as_str().into(), value }));
    T::deserialize(MapDeserializer::new(values)).map_err(|BodyError(message)| wrong(message))
}

/// Why a text is not the JSON of an object.
fn json_error(text: &str, error: &serde_json::Error) -> String {
    match error.classify() {
        _ if text.trim().is_empty() => {
            r#"the body is empty: it must be a JSON object such as {"query": "mate"}"#.to_owned()
        }
        Category::Data => r#"the body must be a JSON object such as {"query": "mate"}"#.to_owned(),
        Category::Syntax | Category::Eof | Category::Io => {
            format!("the body is not JSON: {error}")
        }
    }
}

/// The fields of a body, in its order.
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields, D::Error> {
        struct FieldsVisitor;

        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = Fields;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(FieldsVisitor)
    }
}

/// What a body has against the type of its request.
#[derive(Debug)]
struct BodyError(String);

impl fmt::Display for BodyError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for BodyError {}

impl serde::de::Error for BodyError {
    fn custom<T: fmt::Display>(message: T) -> BodyError {
        BodyError(format!("the body is not what the call takes: {message}"))
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> BodyError {
        BodyError::custom(format_args!("{unexpected} in place of {expected}"))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> BodyError {
        let known = listed(expected, "and");
        let field = shortened(field);
        BodyError(format!("the call has no field `{field}`: its fields are {known}"))
    }

    fn missing_field(field: &'static str) -> BodyError {
        BodyError(format!("the field `{field}` is missing"))
    }

    fn duplicate_field(field: &'static str) -> BodyError {
        BodyError(format!("the field `{field}` is there twice"))
    }
}

/// Names in backticks.
fn listed(names: &[&str], word: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, others)) if !others.is_empty() => {
            format!("{} {word} {last}", others.join(", "))
        }
        _ => quoted.concat(),
    }
}

/// A value as the reader wrote it; of a long one its kind.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) if text.len() > MAX_SHOWN_VALUE => "a text".to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

/// The beginning of a name that may be long.
fn shortened(name: &str) -> String {
    let mut begin: String = name.chars().take(MAX_SHOWN_VALUE).collect();
    if begin.len() < name.len() {
        begin.push('…');
    }
    begin
}

/// The value of a field, or of an item of it.
struct FieldValue<'f> {
    name: Cow<'f, str>,
    value: &'f Value,
}

impl FieldValue<'_> {
    /// The error of a field whose value is not what the field takes.
    fn wrong(&self, what: &str) -> BodyError {
        BodyError(format!("the field `{}` must be {what}, not {}", self.name, shown(self.value)))
    }

    /// A whole number from 0 to `most`.
    fn unsigned(&self, most: u64) -> Result<u64, BodyError> {
        let what = match most {
            u64::MAX => "a whole number from 0 on".to_owned(),
            most => format!("a whole number from 0 to {most}"),
        };
        let number = self.value.as_u64().filter(|number| *number <= most);
        number.ok_or_else(|| self.wrong(&what))
    }

    fn text(&self) -> Result<&str, BodyError> {
        self.value.as_str().ok_or_else(|| self.wrong("a text"))
    }
}

impl<'de> Deserializer<'de> for FieldValue<'_> {
    type Error = BodyError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(_) => self.deserialize_f64(visitor),
            Value::String(text) => visitor.visit_str(text),
            Value::Array(_) => self.deserialize_seq(visitor),
            Value::Object(_) => Err(self.wrong("a single value")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        let value = self.value.as_bool().ok_or_else(|| self.wrong("true or false"))?;
        visitor.visit_bool(value)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        visitor.visit_u64(self.unsigned(u32::MAX.into())?)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        visitor.visit_u64(self.unsigned(u64::MAX)?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        visitor.visit_f64(self.value.as_f64().ok_or_else(|| self.wrong("a number"))?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        visitor.visit_str(self.text()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        visitor.visit_str(self.text()?)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        let items = self.value.as_array().ok_or_else(|| self.wrong("a list"))?;
        let items = items.iter().enumerate().map(|(index, value)| {
            let name = format!("{}[{index}]", self.name).into();
            FieldValue { name, value }
        });
        visitor.visit_seq(SeqDeserializer::new(items))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BodyError> {
        let word = self.value.as_str().filter(|word| variants.contains(word));
        let word = word.ok_or_else(|| self.wrong(&listed(variants, "or")))?;
        visitor.visit_enum(StrDeserializer::new(word))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u128 f32 char bytes byte_buf unit unit_struct newtype_struct tuple
        tuple_struct map struct identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, BodyError> for FieldValue<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ConvertRequest, GroupRequest, SearchRequest, WhyRequest};

    fn message<T: DeserializeOwned>(text: &str) -> String {
        body::<T>(text).err().map(|error| error.message).unwrap_or_default()
    }

    /// Each kind of value of a field, in place of each other one.
    #[test]
    fn errors_name_the_field_and_what_it_takes() {
        for (field, expected) in [
            (r#""limit": "5""#, "the field `limit` must be a whole number from 0 on, not \"5\""),
            (r#""limit": -1"#, "the field `limit` must be a whole number from 0 on, not -1"),
            (r#""limit": 1.5"#, "the field `limit` must be a whole number from 0 on, not 1.5"),
            (r#""limit": {}"#, "the field `limit` must be a whole number from 0 on, not an object"),
            (r#""timeout": true"#, "the field `timeout` must be a number, not true"),
            (r#""games": null"#, "the field `games` must be true or false, not null"),
            (r#""games": 1"#, "the field `games` must be true or false, not 1"),
            (r#""databases": "m""#, "the field `databases` must be a list, not \"m\""),
            (r#""databases": ["m", 5]"#, "the field `databases[1]` must be a text, not 5"),
            (r#""dialect": "cql9""#, "the field `dialect` must be `cqli` or `cql6`, not \"cql9\""),
            (r#""dialect": ["cqli"]"#, "the field `dialect` must be `cqli` or `cql6`, not a list"),
            (r#""query": "mate""#, "the field `query` is there twice"),
        ] {
            let text = format!(r#"{{"query": "mate", {field}}}"#);
            assert_eq!(message::<SearchRequest>(&text), expected, "{text}");
        }
        assert_eq!(
            message::<WhyRequest>(
                r#"{"query": "", "database": "m", "game": 1, "ply": 5000000000}"#
            ),
            "the field `ply` must be a whole number from 0 to 4294967295, not 5000000000"
        );
        let long = format!(r#"{{"query": "mate", "limit": "{}"}}"#, "x".repeat(10_000));
        assert!(message::<SearchRequest>(&long).ends_with("not a text"));
    }

    #[test]
    fn fields_are_known_and_there() {
        assert_eq!(
            message::<ConvertRequest>(r#"{"query": "mate", "too": "ascii"}"#),
            "the call has no field `too`: its fields are `query`, `to` and `dialect`"
        );
        assert_eq!(message::<GroupRequest>(r#"{"query": "mate"}"#), "the field `by` is missing");
        let long = format!(r#"{{"{}": 1}}"#, "é".repeat(10_000));
        assert!(message::<SearchRequest>(&long).len() < 400);
    }

    #[test]
    fn a_body_is_an_object() {
        let example = r#"a JSON object such as {"query": "mate"}"#;
        assert_eq!(
            message::<SearchRequest>(""),
            format!("the body is empty: it must be {example}")
        );
        for text in ["[]", "5", "null", "\"mate\""] {
            assert_eq!(message::<SearchRequest>(text), format!("the body must be {example}"));
        }
        for text in
            ["mate", "{\"query\": \"mate\"", "{\"query\": 'mate'}", "{} {}", "{\"a\": 1e999}"]
        {
            let told = message::<SearchRequest>(text);
            assert!(told.starts_with("the body is not JSON: "), "{told}");
        }
    }

    #[test]
    fn a_field_may_be_null_in_place_of_missing() {
        let text = r#"{"query": "mate", "limit": null, "databases": null, "dialect": "cql6"}"#;
        let request: SearchRequest = body(text).unwrap();
        assert_eq!((request.limit, request.databases), (None, None));
        assert_eq!(request.dialect, Some(crate::DialectName::Cql6));
        let request: GroupRequest =
            body(r#"{"by": ["year", "eco:1"], "query": "mate", "timeout": 2}"#).unwrap();
        assert_eq!((request.by.len(), request.timeout), (2, Some(2.0)));
    }
}
