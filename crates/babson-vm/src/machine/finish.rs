//! The outcome of a game that matched: comments in their final order, sort values.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use babson_lang::hir::{CommentLevel, Type};

use super::state::LogKind;
use super::{LogEntry, Run, push};
use crate::limits::MIN_SORTED_COMMENTS;
use crate::{Field, SortValue};

impl Run<'_, '_> {
    pub(super) fn finish(&mut self, count: i32) {
        let keys = self.program.sorts.len();
        for key in 0..keys {
            let value = self.sort_value(key);
            self.outcome.sort.push(value);
        }
        if self.program.query.header.sort_match_count
            && let Some(last) = self.outcome.sort.last_mut()
        {
            *last = Some(SortValue::Number(count));
        }
        if self.state.carryover.removes_first_comments && !push(&mut self.state.removed_comments, 0)
        {
            self.state.overflow();
        }
        self.state.removed_comments.sort_unstable();
        self.state.removed_comments.dedup();
        self.outcome.removed_comments.extend_from_slice(&self.state.removed_comments);
        self.collect_fields();
        if self.comment_level == CommentLevel::Silent {
            return;
        }
        let mut all: Vec<LogEntry> = self.state.log.to_vec();
        self.comment_runs(&mut all);
        for comments in &self.state.sort_comments {
            all.extend_from_slice(comments);
        }
        all.retain(|entry| entry.kind == LogKind::Comment);
        let options = self.context.options;
        let mut headers = Vec::new();
        if options.cql6_output {
            if options.header {
                let text = format!("Game number {}", self.context.number);
                let text = self.state.intern(text.as_bytes());
                all.insert(0, LogEntry::comment(0, text));
            }
            headers.extend(self.sort_header().into_iter().reduce(|mut whole, next| {
                whole.extend_from_slice(&next);
                whole
            }));
        } else {
            headers = self.sort_header();
        }
        let headers: Vec<LogEntry> =
            headers.iter().map(|text| LogEntry::comment(0, self.state.intern(text))).collect();
        let mut leading = 0;
        if options.cql6_output {
            all.extend(headers);
        } else {
            leading = headers.len();
            all.splice(0..0, headers);
        }
        all.sort_by_key(|entry| entry.node);
        let mut index = 0;
        for entries in all.chunk_by(|entry, next| entry.node == next.node) {
            let repeated = match options.unique_comments {
                true => self.repeated(entries),
                false => Vec::new(),
            };
            for (place, entry) in entries.iter().enumerate() {
                let text = self.state.bytes(entry.text);
                let is_known = match repeated.get(place) {
                    Some(repeated) => *repeated,
                    None => options.unique_comments && self.is_among(text, &entries[..place]),
                };
                if !text.is_empty() && !is_known {
                    self.outcome.comments.push(entry.node, text);
                }
                if index < leading {
                    self.outcome.headers = self.outcome.comments.len();
                }
                index += 1;
            }
        }
    }

    fn is_among(&self, text: &[u8], entries: &[LogEntry]) -> bool {
        entries.iter().any(|entry| self.state.bytes(entry.text) == text)
    }

    /// For each entry, whether an entry before it has the same text. Empty for a short list, whose
    /// entries are quicker compared one by one.
    fn repeated(&self, entries: &[LogEntry]) -> Vec<bool> {
        if entries.len() < MIN_SORTED_COMMENTS {
            return Vec::new();
        }
        let text = |place: usize| self.state.bytes(entries[place].text);
        let mut places: Vec<usize> = (0..entries.len()).collect();
        places.sort_by_key(|&place| text(place));
        let mut repeated = vec![false; entries.len()];
        for pair in places.windows(2) {
            repeated[pair[1]] = text(pair[0]) == text(pair[1]);
        }
        repeated
    }

    /// Collects the fields by position. The fields of one position are in the order in which the
    /// query first recorded them. Each has its last value.
    fn collect_fields(&mut self) {
        let logs = self.state.sort_comments.iter().map(|entries| entries.as_slice());
        let entries = std::iter::once(self.state.log.as_slice()).chain(logs).flatten();
        let mut known = HashMap::new();
        let fields = &mut self.outcome.fields;
        for entry in entries {
            let LogKind::Field { name, ty } = entry.kind else { continue };
            let value = match ty {
                Type::Number => SortValue::Number(entry.text as u32 as i32),
                Type::Bool | Type::String | Type::Set | Type::Position | Type::Piece => {
                    SortValue::Text(self.state.bytes(entry.text).to_vec())
                }
            };
            match known.entry((entry.node, name.index())) {
                Entry::Occupied(index) => {
                    let index: usize = *index.get();
                    fields[index].value = value;
                }
                Entry::Vacant(place) => {
                    place.insert(fields.len());
                    let name = self.program.code.names[name].clone();
                    fields.push(Field { position: entry.node, name, value });
                }
            }
        }
        fields.sort_by_key(|field| field.position);
    }

    /// One text for each sort key that is shown.
    fn sort_header(&self) -> Vec<Vec<u8>> {
        let space = if self.context.options.cql6_output { " " } else { "" };
        self.program
            .sorts
            .iter()
            .zip(&self.outcome.sort)
            .filter(|(key, _)| !key.quiet)
            .map(|(key, value)| {
                let mut text = format!("{space}{}: ", key.name).into_bytes();
                match value {
                    Some(SortValue::Text(value)) => text.extend_from_slice(value),
                    Some(SortValue::Number(value)) => {
                        text.extend_from_slice(value.to_string().as_bytes());
                    }
                    None => text.extend_from_slice(b"none"),
                }
                text
            })
            .collect()
    }
}
