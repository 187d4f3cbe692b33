//! The call `group`: how many games match, in groups.

use serde::{Deserialize, Serialize};

use crate::ApiError;
use crate::query::DialectName;
use crate::search::{checked_limit, checked_timeout};

/// The body of `group`. Every field but the query and the keys may be left out.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct GroupRequest {
    /// The query.
    pub query: String,
    /// The keys of the groups, as `--group` takes them.
    pub by: Vec<String>,
    /// The dialect of the query, if the query does not name one.
    #[serde(default)]
    pub dialect: Option<DialectName>,
    /// The databases to search, in this order; without it, all.
    #[serde(default)]
    pub databases: Option<Vec<String>>,
    /// The number of matching games after which the search ends; without it, all count.
    #[serde(default)]
    pub limit: Option<u64>,
    /// Whether variations are searched, too.
    #[serde(default)]
    pub variations: bool,
    /// Accepted as in a search, without effect: groups have the columns of their keys.
    #[serde(default)]
    pub columns: Option<Vec<String>>,
    /// Accepted as in a search, without effect.
    #[serde(default)]
    pub games: bool,
    /// The seconds after which the search ends.
    #[serde(default)]
    pub timeout: Option<f64>,
}

impl GroupRequest {
    /// The seconds after which the search ends, if the request names them.
    ///
    /// # Errors
    /// They are not a positive number.
    pub fn timeout_seconds(&self) -> Result<Option<f64>, ApiError> {
        checked_timeout(self.timeout)
    }

    /// The number of matching games after which the search ends, if the request names it.
    ///
    /// # Errors
    /// It is 0.
    pub fn match_limit(&self) -> Result<Option<u64>, ApiError> {
        checked_limit(self.limit)
    }
}

/// The answer of `group`: a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct GroupAnswer {
    /// The keys, then `games`, `positions`, `won`, `drawn`, `lost`, `other`, `score`, `performance`
    /// and `share`.
    pub columns: Vec<String>,
    /// The groups.
    pub rows: Vec<Vec<GroupCell>>,
    /// What is not counted: games in which the query failed, databases that break off.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
}

/// A cell of a [`GroupAnswer`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum GroupCell {
    /// A game has no value for the key, or no game of the group has a result or a rating.
    None,
    /// A number.
    Number(i64),
    /// Percent with one decimal.
    Percent(f64),
    /// A text.
    Text(String),
}

impl GroupAnswer {
    /// A table with these columns and rows.
    pub fn new(columns: Vec<String>, rows: Vec<Vec<GroupCell>>) -> GroupAnswer {
        GroupAnswer { columns, rows, messages: Vec::new() }
    }
}
