//! Describes a query in English sentences, for readers who do not know the language.
//!
//! Each filter is a clause, such as "a white rook is on d4", or a noun, such as "the white rooks on
//! d4", depending on the use that is made of it. Conjunctions, alternatives and bodies of loops
//! are lists below their sentence. A value that needs such a list is named `[1]`, `[2]`, … and
//! explained below the sentence that uses it. A sentence may be clumsy, but must not say anything
//! else than what is searched.

mod actions;
mod board;
mod clause;
mod dialect;
mod moves;
mod noun;
mod outline;
mod position_lists;
mod relations;
mod sequence;
mod sets;
mod transforms;
mod words;

use std::collections::HashMap;

use crate::hir::{
    Bound, CommentLevel, Condition, DictId, Expr, ExprKind, Header, NumberRange, Query, Var, VarId,
};
use crate::limits::MAX_DESCRIBED_NOUN;
use outline::Item;

/// The sentences of a query, one in each line. Lines that begin with `-`, perhaps after spaces, are
/// parts of the sentence above them that is indented less.
///
/// ```
/// use babson_lang::{Dialect, analyze, describe};
///
/// let query = analyze("mate Q--h7(check)", Dialect::CQLI).unwrap().query;
/// let lines = describe::sentences(&query);
/// assert_eq!(
///     lines,
///     [
///         "Games with a position at which all of these hold:",
///         "- the side to move is checkmated",
///         "- the next move: a white queen moves to h7; after it: the side to move is in check",
///     ]
/// );
/// ```
pub fn sentences(query: &Query) -> Vec<String> {
    let variables = names_of(&query.vars);
    let mut describer = Describer { query, variables, notes: Vec::new(), noted: 0 };
    let mut items = Vec::new();
    for (filters, when) in
        [(&query.begin, "Before the first game is searched:"), (&query.end, "After the last game:")]
    {
        if !filters.is_empty() {
            items.push(Item { text: when.to_owned(), parts: describer.conditions(filters) });
        }
    }
    // The sentence about what is done after the last game comes last.
    let at = usize::from(!query.begin.is_empty());
    items.insert(at, describer.body());
    items.extend(about_header(&query.header));
    items.extend(describer.about_names());
    items.extend(dialect::sentences(query));
    outline::lines(&items)
}

/// Makes the sentences of a query.
struct Describer<'q> {
    query: &'q Query,
    /// The names of the variables in backticks, all different.
    variables: Vec<String>,
    /// The explanations of the named values of the sentence that is made.
    notes: Vec<Item>,
    /// How many values have names.
    noted: usize,
}

impl Describer<'_> {
    /// The main sentence.
    fn body(&mut self) -> Item {
        let header = &self.query.header;
        let filters = &self.query.body;
        if filters.iter().any(|filter| matches!(filter.kind, ExprKind::GameLists(_))) {
            // The query is evaluated at the first position, and its lists look at all.
            let initial = ExprKind::Condition(Condition::Initial);
            let others: Vec<Expr> =
                filters.iter().filter(|filter| filter.kind != initial).cloned().collect();
            return Item::with_parts("Games in which:", self.conditions(&others));
        }
        let parts = self.conditions(filters);
        let place = if header.variations { ", in the main line or in a variation," } else { "" };
        let count = match header.match_count {
            None => "a position".to_owned(),
            Some((low, high)) if low == high => {
                format!("exactly {low} {}", outline::plural(low.into(), "position", "positions"))
            }
            Some((low, high)) => {
                format!("{} positions", outline::from_to(low.into(), high.into()))
            }
        };
        let all = if parts.len() > 1 { "all of these hold:" } else { "this holds:" };
        let text = match header.match_count {
            None => format!("Games with {count}{place} at which {all}"),
            Some(_) => format!("Games in which {count}{place} match, and at each of them {all}"),
        };
        Item { text, parts }
    }

    /// What variables and dictionaries keep from game to game.
    fn about_names(&self) -> Vec<Item> {
        let persistent = self.query.vars.iter().zip(&self.variables);
        let variables = persistent
            .filter(|(var, _)| var.persistent.is_some())
            .map(|(_, name)| format!("{name} keeps its value from game to game."));
        let dictionaries = self.query.dictionaries.iter().map(|dictionary| {
            let name = &dictionary.name;
            match dictionary.local {
                true => format!("The dictionary `{name}` is empty at the beginning of each game."),
                false => format!("The dictionary `{name}` keeps its entries from game to game."),
            }
        });
        variables.chain(dictionaries).map(Item::plain).collect()
    }

    /// The filters of a conjunction, each a sentence. What always holds is left out.
    fn conditions(&mut self, filters: &[Expr]) -> Vec<Item> {
        let mut items = Vec::new();
        for filter in filters {
            self.add_conditions(filter, &mut items);
        }
        if items.is_empty() {
            items.push(Item::plain("this always holds"));
        }
        items
    }

    fn add_conditions(&mut self, filter: &Expr, items: &mut Vec<Item>) {
        if let ExprKind::And(left, right) = &filter.kind {
            self.add_conditions(left, items);
            self.add_conditions(right, items);
        } else if let ExprKind::Sequence(list) = &filter.kind {
            list.iter().for_each(|filter| self.add_conditions(filter, items));
        } else if filter.kind != ExprKind::Bool(true) {
            items.push(self.clause(filter));
        }
    }

    /// The conditions of a body.
    fn body_of(&mut self, body: &Expr) -> Vec<Item> {
        self.conditions(std::slice::from_ref(body))
    }

    /// The name of a value that is explained below the sentence.
    fn note(&mut self, explain: impl FnOnce(&mut Self, &str) -> Item) -> String {
        self.noted += 1;
        let name = format!("[{}]", self.noted);
        // The values in the explanation are explained below it.
        let outer = std::mem::take(&mut self.notes);
        let mut item = explain(self, &name);
        item.parts.append(&mut self.notes);
        self.notes = outer;
        self.notes.push(item);
        name
    }

    /// A noun, or its name if it is long.
    fn settle(&mut self, noun: String) -> String {
        match noun.len() > MAX_DESCRIBED_NOUN {
            true => self.note(|_, name| Item::plain(format!("{name} is {noun}"))),
            false => noun,
        }
    }

    fn var(&self, var: VarId) -> String {
        self.variables.get(var.0 as usize).cloned().unwrap_or_default()
    }

    fn dictionary(&self, dictionary: DictId) -> String {
        let known = self.query.dictionaries.get(dictionary.0 as usize);
        format!("the dictionary `{}`", known.map_or("?", |known| known.name.as_str()))
    }

    fn bound(&self, bound: Bound) -> String {
        match bound {
            Bound::Const(number) => number.to_string(),
            Bound::Var(var) => self.var(var),
        }
    }

    /// `exactly 3`, `at least 2`, `2 to 5`; nothing if any number fits.
    fn range(&self, range: NumberRange) -> Option<String> {
        let (least, greatest) = (self.bound(range.min), self.bound(range.max));
        if range == NumberRange::COUNT {
            None
        } else if range.min == range.max {
            Some(format!("exactly {least}"))
        } else if range.max == Bound::Const(i32::MAX) || range.max == NumberRange::COUNT.max {
            Some(format!("at least {least}"))
        } else if let (Bound::Const(least), Bound::Const(greatest)) = (range.min, range.max) {
            Some(outline::from_to(least.into(), greatest.into()))
        } else {
            Some(format!("{least} to {greatest}"))
        }
    }
}

/// The names of variables in backticks. Variables of several functions, or of several calls of one,
/// may have the same name. The second has a number.
fn names_of(variables: &[Var]) -> Vec<String> {
    let mut counts = HashMap::new();
    let names = variables.iter().map(|variable| {
        let count = counts.entry(&variable.name).or_insert(0);
        *count += 1;
        match *count {
            1 => format!("`{}`", variable.name),
            count => format!("`{}` ({count})", variable.name),
        }
    });
    names.collect()
}

/// What the header says besides the main sentence.
fn about_header(header: &Header) -> Vec<Item> {
    let mut items = Vec::new();
    let mut tell = |text: String| items.push(Item::plain(text));
    if let Some(result) = header.result {
        tell(format!("Only games in which {}.", words::result(result)));
    }
    if let Some((low, high)) = header.game_number {
        tell(match low == high {
            true => format!("Only the game with the number {low}."),
            false => {
                let numbers = outline::from_to(low.into(), high.into());
                format!("Only the games with the numbers {numbers}.")
            }
        });
    }
    if let Some(input) = &header.input {
        tell(format!("The games are read from {:?}.", input.name));
    }
    if let Some(output) = &header.output {
        tell(format!("The games that match are written to {:?}.", output.name));
    }
    if header.sort_match_count {
        tell("The games with the most matching positions come first.".to_owned());
    }
    match &header.match_string {
        Some(text) if text.is_empty() => tell("Matching positions get no comment.".to_owned()),
        Some(text) => tell(format!("Matching positions get the comment {text:?}.")),
        None => {}
    }
    match header.comment_level {
        CommentLevel::Normal => {}
        CommentLevel::Quiet => tell("No automatic comments are written.".to_owned()),
        CommentLevel::Silent => tell("No comments are written.".to_owned()),
    }
    items
}
