//! Help for type errors that the surrounding text explains: a text without quotes, a number in
//! quotes, a keyword in capitals, a move in the notation of games.

mod around;
mod fields;
mod library;
mod meaning;

use std::collections::{HashMap, HashSet};

use super::correction::{
    BareValue, Corrections, between, color, comparison_text, is_digits, is_filter, right_edges,
    search_filter, searching, with_search,
};
use crate::ast::{self, ComparisonOperator, Expr, ExprKind as Ast, PrecedenceLevel};
use crate::diagnostic::{Code, Diagnostic, Fix, Help, Span};
use crate::dialect::Dialect;
use crate::hir::Type;
use crate::imports::{LibraryFunction, library_functions};
use crate::keywords::Keyword;
use crate::lexer::is_designator;
use crate::limits::MAX_REPEATED;
use crate::san;
use crate::sema::scope::UNASSIGNED;
use crate::synonyms;
use library::{library_place, of_library, of_library_in_pieces};
use meaning::result_of;
pub(crate) use meaning::tag_filter;
pub(super) use meaning::{AssignedValue, WordMeaning, condition};

/// Adds help to errors that the surrounding text explains. Of several errors with the same cause
/// only the first is kept.
pub(in crate::sema) fn explain(
    text: &str,
    query: &ast::Query,
    dialect: Dialect,
    errors: &mut Vec<Diagnostic>,
) {
    let is_unassigned = |error: &&Diagnostic| error.help.as_deref() == Some(UNASSIGNED);
    let mut explainer = ErrorExplainer {
        corrections: Corrections { text, vars: &[] },
        dialect,
        places: errors.iter().map(|error| error.span).collect(),
        unassigned: errors.iter().filter(is_unassigned).map(|error| error.span).collect(),
        helps: HashMap::new(),
        followers: HashSet::new(),
    };
    explainer.items(&query.items);
    let ErrorExplainer { helps, followers, .. } = explainer;
    errors.retain(|error| !followers.contains(&error.span));
    let together = explained_together(text, errors);
    let library: Vec<LibraryFunction> = match dialect.own_words && !errors.is_empty() {
        true => library_functions().collect(),
        false => Vec::new(),
    };
    for (error, together) in errors.iter_mut().zip(together) {
        let own = if together.is_some() {
            together
        } else if error.is_unknown() {
            let import = library_place(query);
            of_library(text, &library, error.span, import)
                .or_else(|| of_library_in_pieces(text, &library, error.span, import))
        } else if error.code == Code::MisplacedOperator {
            fields::explain(text, error.span)
        } else {
            None
        };
        if let Some(help) = own.as_ref().or(helps.get(&error.span)) {
            *error = error.clone().with_help(help.clone());
        }
    }
}

/// The helps for unknown names that have a meaning together with the words beside them. Of several
/// errors in such words only the first is kept.
fn explained_together(text: &str, errors: &mut Vec<Diagnostic>) -> Vec<Option<Help>> {
    let (mut helps, mut last) = (Vec::new(), Span::default());
    errors.retain(|error| {
        if last.start <= error.span.start && error.span.end <= last.end {
            return false;
        }
        let is_name = error.code == Code::UnknownName;
        let found = is_name.then(|| around::explain(text, error.span)).flatten();
        last = found.as_ref().map_or(last, |(_, run)| *run);
        helps.push(found.map(|(help, _)| help));
        true
    });
    helps
}

/// The filter for a comparison of a player with a name; `None` if one name is less than another.
fn named_player(color: Keyword, op: ComparisonOperator, name: &str) -> Option<String> {
    let query = search_filter(Keyword::Player, Some(color), name);
    match op {
        ComparisonOperator::Equal => Some(query),
        ComparisonOperator::NotEqual => Some(format!("not {query}")),
        ComparisonOperator::Less
        | ComparisonOperator::LessEqual
        | ComparisonOperator::Greater
        | ComparisonOperator::GreaterEqual
        | ComparisonOperator::Ancestor
        | ComparisonOperator::AncestorOrSame
        | ComparisonOperator::Descendant
        | ComparisonOperator::DescendantOrSame => None,
    }
}

struct ErrorExplainer<'a> {
    corrections: Corrections<'a>,
    dialect: Dialect,
    /// The spans of the errors.
    places: HashSet<Span>,
    /// The spans of unknown names that are like no known word.
    unassigned: HashSet<Span>,
    helps: HashMap<Span, Help>,
    /// The spans of errors with the same cause as an earlier one.
    followers: HashSet<Span>,
}

impl<'a> ErrorExplainer<'a> {
    /// Checks the filters of a list.
    fn items(&mut self, items: &'a [Expr]) {
        for (at, item) in items.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| &items[at]);
            if let Some(name) = self.unknown_at_left(item) {
                let run = items[at + 1..].iter().map_while(|next| self.unknown(next));
                let names: Vec<Span> = std::iter::once(name.span).chain(run).collect();
                self.text_without_quotes(before, &names);
            }
            if self.unknown(item).is_some() {
                if let (Some(before), Some(after)) = (before, items.get(at + 1)) {
                    self.word_between(before, item, after);
                }
                self.unknown_word(item, &items[at + 1..]);
                self.player(item);
            }
            self.filter(item);
        }
    }

    fn filter(&mut self, e: &'a Expr) {
        if let Ast::Relation { left, op, op_span, right } = &e.kind {
            let help = self.relation(left, *op, *op_span, right);
            self.helps.extend(help);
        }
        if let Ast::In { left, op_span, right } = &e.kind
            && self.places.contains(op_span)
            && let Some(help) = self.within(left, right)
        {
            let end = help.fixes.first().and_then(|fix| fix.edits.last()).map(|edit| edit.span.end);
            // `mate in 3 moves`
            if let Some(end) = end.filter(|&end| end > right.span.end) {
                self.followers.insert(Span::new(right.span.end + 1, end));
            }
            self.helps.insert(*op_span, help);
        }
        if let Ast::Negate(to) = &e.kind
            && self.places.contains(&to.span)
            && let Some(help) = self.long_move(e.span, to)
        {
            self.helps.insert(to.span, help);
        }
        if let Ast::Block(items)
        | Ast::Function { body: items, .. }
        | Ast::Hook { body: items, .. } = &e.kind
        {
            self.items(items);
        } else {
            let is_condition = matches!(
                e.kind,
                Ast::Not(_) | Ast::Infix { level: PrecedenceLevel::Or | PrecedenceLevel::And, .. }
            );
            e.kind.for_each_child(&mut |child| {
                let is_dictionary =
                    matches!(&e.kind, Ast::Index { base, .. } if base.span == child.span);
                if !is_dictionary {
                    self.unknown_word(child, &[]);
                }
                if is_condition {
                    self.player(child);
                }
                self.filter(child);
            });
        }
    }

    /// The span of the expression, if it is a name with an error.
    fn unknown(&self, e: &Expr) -> Option<Span> {
        let is_name = matches!(e.kind, Ast::Name(_));
        (is_name && self.places.contains(&e.span)).then_some(e.span)
    }

    /// The name with an error at the left end of a filter, if there is one.
    fn unknown_at_left<'e>(&self, e: &'e Expr) -> Option<&'e Expr> {
        let mut edge = e;
        loop {
            if self.unknown(edge).is_some() {
                return Some(edge);
            }
            let mut first = None;
            edge.kind.for_each_child(&mut |child| {
                if first.is_none() && child.span.start == edge.span.start {
                    first = Some(child);
                }
            });
            edge = first?;
        }
    }

    /// `player Magnus Carlsen`
    fn text_without_quotes(&mut self, before: Option<&Expr>, names: &[Span]) {
        let (Some(before), Some(first), Some(last)) = (before, names.first(), names.last()) else {
            return;
        };
        let text = first.to(*last).text(self.corrections.text);
        if text.contains(['\n', '\r']) {
            return;
        }
        let edges = right_edges(before);
        if let Some(color) = edges.iter().find_map(|edge| color(edge)) {
            let word = first.text(self.corrections.text);
            if let Some(query) = result_of(color, word) {
                let place = edges.last().map_or(*first, |edge| edge.span.to(*first));
                self.helps.insert(*first, Help::write(place, query));
                return;
            }
            let is_white = color == Keyword::White;
            let place = edges.last().map_or(*first, |edge| edge.span);
            if let Some((help, piece)) =
                around::of_player(self.corrections.text, place, *first, is_white)
            {
                self.helps.insert(*first, help);
                self.followers.extend(names[1..].iter().copied().chain(piece));
                return;
            }
            if around::is_verb(word) {
                return;
            }
            // `white king`; a name has a capital.
            if word.starts_with(|c: char| c.is_ascii_lowercase()) && synonyms::find(word).is_some()
            {
                return;
            }
        }
        let query = edges.into_iter().find_map(|edge| {
            if let Some(color) = color(edge) {
                return Some((edge.span, search_filter(Keyword::Player, Some(color), text)));
            }
            let filter = searching(edge)?;
            filter.text().is_none().then(|| (edge.span, with_search(filter, text)))
        });
        let of_codes = query.as_ref().filter(|query| query.1.starts_with(Keyword::Eco.name()));
        let codes = of_codes
            .and_then(|(place, _)| fields::range_of_codes(self.corrections.text, *first, *place));
        if let Some((help, second)) = codes {
            self.helps.insert(*first, help);
            self.followers.insert(second);
        } else if let Some((place, query)) = query {
            let help = Help::from(format!("a text stands in quotes: `{query}`"));
            self.helps.insert(*first, help.with(Fix::replace(place.to(*last), query)));
            self.followers.extend(&names[1..]);
        }
    }

    /// `Q takes r`, `R on a8`, `K at g8 or h8`: a word between piece designators.
    fn word_between(&mut self, before: &Expr, word: &Expr, after: &Expr) {
        let (Some(place), Ast::Name(name)) = (self.unknown(word), &word.kind) else {
            return;
        };
        let edge = right_edges(before).pop();
        let rights: Option<Vec<&str>> =
            if let Ast::Infix { level: PrecedenceLevel::Or, first, rest } = &after.kind {
                let operands = std::iter::once(&**first).chain(rest.iter().map(|tail| &tail.right));
                operands.map(|operand| self.pieces(operand)).collect()
            } else {
                self.pieces(after).map(|right| vec![right])
            };
        let (Some(left), Some(rights)) = (edge.and_then(|e| self.pieces(e)), rights) else {
            return;
        };
        let query = match name.to_ascii_lowercase().as_str() {
            _ if self.corrections.source(after).len() > MAX_REPEATED => return,
            "takes" | "captures" | "capturing" => {
                joined(&rights, |right| format!("{left}[x]{right}"))
            }
            "on" | "at" => joined(&rights, |right| {
                Some(format!("{left}{right}"))
                    .filter(|whole| is_designator(whole))
                    .unwrap_or_else(|| format!("{left} & {right}"))
            }),
            _ => return,
        };
        let whole = edge.map_or(place, |edge| edge.span).to(after.span);
        self.helps.entry(place).or_insert_with(|| Help::write(whole, query));
    }

    /// The text of a piece designator, also of one that is meant by a word as `pawn`.
    fn pieces<'e>(&'e self, e: &Expr) -> Option<&'e str> {
        if let Ast::Name(name) = &e.kind {
            let synonym = synonyms::find(name).filter(|synonym| !synonym.is_example)?;
            is_designator(synonym.query).then_some(synonym.query)
        } else {
            matches!(e.kind, Ast::Designator(_)).then(|| self.corrections.source(e))
        }
    }

    /// `Kasparov`: a word that has the form of a name, in the place of a condition.
    fn player(&mut self, e: &Expr) {
        let (Some(place), Ast::Name(name)) = (self.unknown(e), &e.kind) else {
            return;
        };
        let rest = name.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or_default();
        let is_surname = rest.len() >= 3 && rest.bytes().all(|byte| byte.is_ascii_lowercase());
        if is_surname && self.unassigned.contains(&place) {
            let query = search_filter(Keyword::Player, None, name);
            let help = Help::from(format!("{UNASSIGNED}; a player is named by `{query}`"))
                .with(Fix::replace(place, query));
            self.helps.entry(place).or_insert(help);
        }
    }

    /// `ECO "B20"`, `round 3`, `Mate`: an unknown name that is a keyword in another case or a PGN
    /// tag, with the value after it.
    fn unknown_word(&mut self, e: &Expr, rest: &[Expr]) {
        let (Some(place), Ast::Name(name)) = (self.unknown(e), &e.kind) else {
            return;
        };
        let lower = name.to_ascii_lowercase();
        // `Player Magnus Carlsen`
        let names: Vec<Span> = rest.iter().map_while(|next| self.unknown(next)).collect();
        let value = if let (Some(first), Some(last)) = (names.first(), names.last()) {
            Some(first.to(*last).text(self.corrections.text))
                .filter(|text| !text.contains(['\n', '\r']))
        } else if let Some(Ast::Str(text)) = rest.first().map(|next| &next.kind) {
            Some(text.as_str())
        } else if let Some(next) = rest.first()
            && matches!(next.kind, Ast::Int(_))
        {
            Some(self.corrections.source(next))
        } else {
            None
        };
        let Some(meaning) = WordMeaning::of(name, &lower) else {
            self.game_move(place, name);
            return;
        };
        // A word after it that the filter does not take has an error of its own.
        let (query, followers) = match value.and_then(|text| meaning.with(text)) {
            Some(query) => (Some(query), names),
            None => (None, Vec::new()),
        };
        if self.helps.contains_key(&place) || self.followers.contains(&place) {
            return;
        }
        let help = if let WordMeaning::Synonym(synonym) = meaning {
            synonym.help(place)
        } else if let Some(query) = query {
            let last = followers.last().copied().or(rest.first().map(|next| next.span));
            Help::write(last.map_or(place, |last| place.to(last)), query)
        } else {
            let help = if let WordMeaning::Elo(color) = meaning
                && self.is_operand(place)
            {
                Help::write(place, format!("elo {}", color.name()))
            } else {
                Help::write(place, meaning.alone())
            };
            // A keyword in another case.
            let is_keyword = matches!(meaning, WordMeaning::Filter(word) if word.name() == lower);
            if is_keyword { help.certain() } else { help }
        };
        self.helps.insert(place, help);
        self.followers.extend(followers);
    }

    /// Whether an operator of numbers stands before or after this place.
    fn is_operand(&self, place: Span) -> bool {
        let text = self.corrections.text;
        let before = text.get(..place.start as usize).unwrap_or_default().trim_end();
        let after = text.get(place.end as usize..).unwrap_or_default().trim_start();
        let is_operator = |letter: char| "<>=+-*%≤≥≠".contains(letter);
        before.ends_with(is_operator) || after.starts_with(is_operator) || after.starts_with("!=")
    }

    /// `Qxf7`, `O-O`
    fn game_move(&mut self, place: Span, name: &str) {
        if name == "O" {
            let after = self.corrections.text.get(place.start as usize..).unwrap_or_default();
            let (length, query, help) = match after.starts_with("O-O-O") {
                true => (5, "o-o-o", "castling to the queenside is written `o-o-o`"),
                false => (3, "o-o", "castling is written `o-o`, or `o-o-o` to the queenside"),
            };
            let whole = Span::new(place.start, place.start + length);
            let help = match whole.text(self.corrections.text).eq_ignore_ascii_case(query) {
                true => Help::from(help).with(Fix::replace(whole, query)),
                false => Help::from(help),
            };
            self.helps.entry(place).or_insert(help);
            return;
        }
        if let Some(help) = san::translated(name, place) {
            self.helps.entry(place).or_insert(help);
            return;
        }
        let Some(capture) = san::Capture::read(name) else { return };
        let after = self.corrections.text.get(place.end as usize..).unwrap_or_default();
        let mark = after.get(..1).filter(|mark| matches!(*mark, "+" | "#")).unwrap_or_default();
        let whole = Span::new(place.start, place.end + mark.len() as u32);
        self.helps.entry(place).or_insert_with(|| match self.dialect.own_words {
            true => san::played(&format!("{name}{mark}"), whole),
            false => {
                let dash = capture.dash();
                Help::from(format!("a capture of that form is written `{dash}`"))
                    .with(Fix::replace(whole, dash))
            }
        });
    }

    /// `year in 1920..1930`, `mate in 3`
    fn within(&self, left: &Expr, right: &Expr) -> Option<Help> {
        let number = if let Ast::Int(number) = &right.kind {
            *number
        } else if let Ast::Name(word) = &right.kind {
            around::number_word(word)?
        } else {
            return None;
        };
        let text = self.corrections.text;
        let after = text.get(right.span.end as usize..)?;
        if let Some(word @ (Keyword::Mate | Keyword::Stalemate)) = left.keyword() {
            // The side that mates makes the last of the moves.
            let plies = number.checked_mul(2)?.checked_sub(1).filter(|plies| *plies > 0)?;
            let word = word.name();
            let query = format!("line --> .{{1,{plies}}} --> {word}");
            let help = format!("for {word} in at most {plies} plies write `{query}`");
            let unit = [" moves", " move"].into_iter().find(|unit| after.starts_with(unit));
            let end = right.span.end + unit.map_or(0, str::len) as u32;
            let place = Span::new(left.span.start, end);
            return Some(Help::from(help).with(Fix::replace(place, query)));
        }
        let rest = after.trim_start_matches(' ');
        let separators = ["...", "..", "-", "–", "to ", "and "];
        let rest = separators.iter().find_map(|one| rest.strip_prefix(one))?.trim_start();
        let high = rest.split(|letter: char| !letter.is_ascii_digit()).next()?;
        let end = text.len() - rest.len() + high.len();
        let subject = self.corrections.source(left);
        let is_range = is_digits(high) && self.corrections.can_have_type(left, Type::Number);
        let place = Span::new(left.span.start, end as u32);
        is_range.then(|| between(place, subject, self.corrections.source(right), high))
    }

    /// `e2-e4`, `Ng1-f3`: a move in long notation, whose `-` is read as a sign.
    fn long_move(&self, negated: Span, to: &Expr) -> Option<Help> {
        let before = self.corrections.text.get(..negated.start as usize)?;
        let from = before.rsplit(|letter: char| !letter.is_ascii_alphanumeric()).next()?;
        let is_target = matches!(&to.kind, Ast::Designator(to) if to.has_squares && !to.has_pieces);
        let is_start = matches!(from.len(), 2 | 3) && is_designator(from);
        let query = format!("{from}--{}", self.corrections.source(to));
        (is_target && is_start && negated.start + 1 == to.span.start).then(|| {
            let minus = Span::new(negated.start, to.span.start);
            let help = Help::from(format!("a move between squares is `{query}`"));
            help.with(Fix::replace(minus, "--"))
        })
    }

    /// The place of an error in a comparison, and help for it: `year == "1920"`, `date > 1920`,
    /// `player white == Carlsen`
    fn relation(
        &self,
        left: &Expr,
        op: ComparisonOperator,
        op_span: Span,
        right: &Expr,
    ) -> Option<(Span, Help)> {
        let whole = left.span.to(right.span);
        let help = |text: String, query: String| Help::from(text).with(Fix::replace(whole, query));
        let left_text = self.corrections.source(left);
        let right_text = self.corrections.source(right);
        let can_have_type = |ty| self.corrections.can_have_type(left, ty);
        if let (Some(place), Ast::Name(name)) = (self.unknown(left), &left.kind) {
            // `material == "KRvKR"`
            let is_key = name.eq_ignore_ascii_case("material")
                && matches!(right.kind, Ast::Str(_))
                && self.dialect.own_words;
            let key = Keyword::MaterialKey.name();
            // `moves < 20`: each game begins with fewer moves.
            let is_length =
                matches!(name.to_ascii_lowercase().as_str(), "moves" | "movecount" | "gamelength");
            let is_upper_bound = matches!(
                op,
                ComparisonOperator::Less
                    | ComparisonOperator::LessEqual
                    | ComparisonOperator::Equal
            );
            if is_length && is_upper_bound && matches!(right.kind, Ast::Int(_)) {
                let query = format!("terminal and movenumber {} {right_text}", op.name());
                let before = self.corrections.text.get(..whole.start as usize).unwrap_or_default();
                let is_negated = before.trim_end().ends_with("not");
                let query = if is_negated { format!("({query})") } else { query };
                let text = format!("a game has as many moves as its last position says: `{query}`");
                return Some((place, help(text, query)));
            }
            // `White != "Alekhine"`
            if let Some(WordMeaning::Player(color)) =
                WordMeaning::of(name, &name.to_ascii_lowercase())
                && let Ast::Str(player) = &right.kind
            {
                let query = named_player(color, op, player)?;
                return Some((place, help(format!("a player is named by `{query}`"), query)));
            }
            return is_key.then(|| {
                let form = "White's pieces, `v`, Black's pieces, as in `\"KRPvKR\"`";
                let query = format!("{key} {} {right_text}", op.name());
                (place, help(format!("write `{query}`: {form}"), query))
            });
        }
        if self.unknown(right).is_some() {
            let query = comparison_text(left_text, op, &BareValue::Text(right_text));
            return can_have_type(Type::String)
                .then(|| (right.span, help(format!("a text stands in quotes: `{query}`"), query)));
        }
        if !self.places.contains(&op_span) {
            return None;
        }
        // `check == true`
        if let Some(value @ (Keyword::True | Keyword::False)) = right.keyword()
            && can_have_type(Type::Bool)
            && matches!(op, ComparisonOperator::Equal | ComparisonOperator::NotEqual)
        {
            let holds = (value == Keyword::True) == (op == ComparisonOperator::Equal);
            let query = if holds { left_text.to_owned() } else { format!("not {left_text}") };
            let text = format!("a condition is not compared: write `{query}`");
            return Some((op_span, help(text, query).certain()));
        }
        let found = if let Ast::Str(text) = &right.kind {
            if let Some(color) = color(left) {
                let query = named_player(color, op, text)?;
                help(format!("a player is named by `{query}`"), query)
            } else if can_have_type(Type::Number) && is_digits(text) {
                let query = comparison_text(left_text, op, &BareValue::Number(text));
                help(format!("a number has no quotes: `{query}`"), query).certain()
            } else {
                return None;
            }
        } else if !matches!(right.kind, Ast::Int(_)) || !can_have_type(Type::String) {
            return None;
        } else if let Ast::Filter(filter) = &left.kind
            && filter.keyword == Keyword::Tag
            && let Some(color) = filter.text().and_then(|tag| rated_color(&tag.value))
        {
            let rating = format!("{} {}", Keyword::Elo.name(), color.name());
            let query = comparison_text(&rating, op, &BareValue::Number(right_text));
            help(format!("the rating is a number: `{query}`"), query)
        } else if is_filter(left, Keyword::Date) && right_text.len() == 4 {
            let year = Keyword::Year.name();
            let query = comparison_text(year, op, &BareValue::Number(right_text));
            help(format!("the year of the date is a number: `{query}`"), query)
        } else {
            let query = comparison_text(left_text, op, &BareValue::Text(right_text));
            help(format!("a string stands in quotes: `{query}`"), query)
        };
        Some((op_span, found))
    }
}

/// The color of the player with the rating in this tag.
fn rated_color(tag: &str) -> Option<Keyword> {
    match tag {
        "WhiteElo" => Some(Keyword::White),
        "BlackElo" => Some(Keyword::Black),
        _ => None,
    }
}

/// The filters for several operands: one of them must match.
fn joined(operands: &[&str], filter: impl Fn(&str) -> String) -> String {
    operands.iter().map(|operand| filter(operand)).collect::<Vec<_>>().join(" or ")
}
