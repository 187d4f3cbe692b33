//! Filters that change or write something, as clauses.

use super::Describer;
use super::outline::Item;
use super::relations::operation_name;
use crate::hir::{Arithmetic, OutputFilter, StateFilter, Update};

impl Describer<'_> {
    /// What becomes of a variable or of a dictionary.
    pub(super) fn state_clause(&mut self, filter: &StateFilter) -> Item {
        match filter {
            StateFilter::Assign { var, value, if_any } => {
                let (var, value) = (self.var(*var), self.bare_noun(value));
                let condition = if *if_any { ", which must not be empty" } else { "" };
                Item::plain(format!("{var} becomes {value}{condition}"))
            }
            StateFilter::Update { var, op, value } => {
                let (var, value) = (self.var(*var), self.noun(value));
                Item::plain(match op {
                    Update::Number(operation) => {
                        format!("{var} becomes {var} {} {value}", operation_name(*operation))
                    }
                    Update::Append => format!("{var} becomes {var} followed by {value}"),
                    Update::Union => format!("{var} becomes {var} together with {value}"),
                    Update::Intersection => {
                        format!("{var} becomes the squares of {var} that are among {value}")
                    }
                })
            }
            StateFilter::BindPiece { var, set } => {
                let (var, set) = (self.var(*var), self.noun(set));
                Item::plain(format!("{var} becomes the piece on the only square of {set}"))
            }
            StateFilter::Unbind(var) => Item::plain(format!("{} loses its value", self.var(*var))),
            StateFilter::Store { dictionary, key, op, value, .. } => {
                let (key, value) = (self.noun(key), self.noun(value));
                let dictionary = self.dictionary(*dictionary);
                let how = match op {
                    None => "is stored",
                    Some(Update::Number(operation)) => match operation {
                        Arithmetic::Add => "is added to the value",
                        Arithmetic::Subtract => "is subtracted from the value",
                        Arithmetic::Multiply => "is multiplied with the value",
                        Arithmetic::Divide => "divides the value",
                        Arithmetic::Remainder => "divides the value, whose remainder is kept,",
                    },
                    Some(Update::Append) => "is appended to the value",
                    Some(Update::Union) => "is joined to the value",
                    Some(Update::Intersection) => "is intersected with the value",
                };
                Item::plain(format!("{value} {how} in {dictionary} under the key {key}"))
            }
            StateFilter::Erase { dictionary, key } => {
                let dictionary = self.dictionary(*dictionary);
                Item::plain(match key {
                    Some(key) => {
                        format!(
                            "the entry with the key {} is removed from {dictionary}",
                            self.noun(key)
                        )
                    }
                    None => format!("all entries are removed from {dictionary}"),
                })
            }
            StateFilter::AssignSlice { var, single, from, to, value } => {
                let place = self.place_in_text(*single, from.as_deref(), to.as_deref());
                let (var, value) = (self.var(*var), self.noun(value));
                Item::plain(format!("{place} of {var} becomes {value}"))
            }
        }
    }

    /// What is written.
    pub(super) fn output_clause(&mut self, filter: &OutputFilter) -> Item {
        match filter {
            OutputFilter::Comment(parts) => {
                let parts = self.printed(parts);
                Item::plain(format!("the comment {parts} is written"))
            }
            OutputFilter::Field { name, parts } => {
                let parts = self.printed(parts);
                Item::plain(format!("{parts} is recorded in the field {name:?}"))
            }
            OutputFilter::Message { parts, .. } => {
                let parts = self.printed(parts);
                Item::plain(format!("the message {parts} is printed"))
            }
            OutputFilter::SetTag { name, value } => {
                let value = self.noun(value);
                Item::plain(format!("the tag {name:?} of the output becomes {value}"))
            }
            OutputFilter::RemoveTag(name) => {
                Item::plain(format!("the tag {name:?} is left out of the output"))
            }
            OutputFilter::WriteFile { name, text } => {
                let (name, text) = (self.noun(name), self.noun(text));
                Item::plain(format!("{text} is written to the file {name}"))
            }
        }
    }
}
