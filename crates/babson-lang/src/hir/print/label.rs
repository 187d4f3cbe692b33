//! The label of a node in the printed tree.

use std::fmt;
use std::ops::Deref;

use super::spelling::{compass, designator, letters, name, squares};
use crate::ast::print::flags;
use crate::hir::*;

/// A field, as labels show it.
macro_rules! shown {
    ($query:ident $field:ident flag) => {
        Flag { name: stringify!($field), is_set: *$field }
    };
    ($query:ident $field:ident $($role:ident)?) => {
        Shown($query, $field)
    };
}

macro_rules! define_labels {
    (
        context($declared:ident $query:ident)
        $(
            $(#[$kind_doc:meta])*
            enum $Kind:ident {$(
                $(#[$doc:meta])*
                $name:ident
                    $(($( $tf:ident: $tty:ty $(as $trole:ident $(($($targ:tt)*))?)? ),* $(,)?))?
                    $({$(
                        $(#[$fdoc:meta])*
                        $sf:ident: $sty:ty $(as $srole:ident $(($($sarg:tt)*))?)?
                    ),* $(,)?})?
                    = $signature:expr, $label:literal $(($($extra:expr),*))?
                    $(, shape $shape:expr)? $(, squares $squares:expr)?;
            )*})*
    ) => {$(
        impl Show for $Kind {
            #[allow(unused_variables, reason = "most labels need few of the fields")]
            fn show(&self, $query: &Query, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {$(
                    $Kind::$name $(($($tf),*))? $({$($sf),*})? => {
                        $($(let $tf = shown!($query $tf $($trole)?);)*)?
                        $($(let $sf = shown!($query $sf $($srole)?);)*)?
                        write!(out, $label, $($($extra),*)?)
                    }
                )*}
            }
        }
    )*};
}

node_table!(define_labels);

/// A property: its name after a space if it is set.
struct Flag {
    name: &'static str,
    is_set: bool,
}

impl fmt::Display for Flag {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_set { write!(out, " {}", self.name.replace('_', " ")) } else { Ok(()) }
    }
}

/// What has a text, given the names in a query.
pub(super) trait Show {
    fn show(&self, query: &Query, out: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// A part of a node, with the query that it belongs to.
pub(super) struct Shown<'q, T: ?Sized>(pub(super) &'q Query, pub(super) &'q T);

impl<T: ?Sized> Deref for Shown<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.1
    }
}

impl<T: Show + ?Sized> fmt::Display for Shown<'_, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.1.show(self.0, out)
    }
}

impl<T: Show> Show for Box<T> {
    fn show(&self, query: &Query, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).show(query, out)
    }
}

/// Implements [`Show`] by an expression for the text.
macro_rules! show {
    ($($ty:ty, $query:pat, $part:pat => $text:expr;)*) => {$(
        impl Show for $ty {
            fn show(&self, $query: &Query, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                let $part = self;
                write!(out, "{}", $text)
            }
        }
    )*};
}

show! {
    bool, _, value => value;
    i32, _, number => number;
    u8, _, number => number;
    String, _, text => text;
    Box<[u8]>, _, text => quoted(text);
    Box<[String]>, _, words => words.join(" ");
    Uncompared<String>, _, name => name.0;
    Directions, _, directions => compass(*directions);
    Designator, _, found => designator(found);
    FenPattern, _, pattern => pattern_label(&pattern.designators);
    Alignment, _, alignment => alignment_label(*alignment);
    Condition, _, which => name(which);
    UnaryFilter, _, which => name(which);
    BinaryFilter, _, which => name(which);
    Arithmetic, _, operation => name(operation);
    ComparisonOperator, _, relation => name(relation);
    Update, _, update => word(update);
    Option<Update>, _, update => update.map_or(String::new(), |op| format!(": {}", word(op)));
    Property, _, which => if let Property::Award(award) = which {
        award_label(award)
    } else if let Property::Tag(tag) = which {
        name(tag)
    } else {
        name(which)
    };
    VarId, query, id => query.vars.get(id.0 as usize).map_or("?", |var| var.name.as_str());
    DictId, query, id => query.dictionaries.get(id.0 as usize).map_or("?", |d| d.name.as_str());
    SortId, query, id => query.sorts.get(id.0 as usize).map_or("?", |key| key.name.as_str());
    Bound, query, bound => match bound {
        Bound::Const(n) => n.to_string(),
        Bound::Var(var) => Shown(query, var).to_string(),
    };
    NumberRange, query, range => {
        format!("{}..{}", Shown(query, &range.min), Shown(query, &range.max))
    };
    // After the name of a filter.
    Option<NumberRange>, query, range => {
        range.map_or(String::new(), |range| format!(" {}", Shown(query, &range)))
    };
    OrbitResult, query, result => match result {
        OrbitResult::Count(range) => format!("count in {}", Shown(query, range)),
        OrbitResult::Union | OrbitResult::Max | OrbitResult::Any => word(result),
    };
    MoveFilter, _, filter => move_label(filter);
    SpeculativeMove, _, filter => {
        format!("Try {}{}", move_label(&filter.moves), flags(" ", &[(filter.all, "all")]))
    };
    Vec<BoardChange>, _, changes => {
        changes.iter().map(change_label).collect::<Vec<String>>().join(", ")
    };
    DashFilter, _, filter => dash_label(filter);
    FindFilter, query, find => {
        let mode = match &find.mode {
            FindMode::Range(range) => Shown(query, range).to_string(),
            FindMode::First | FindMode::All => word(find.mode),
        };
        let flags = flags(" ", &[(find.backward, "backwards"), (find.quiet, "quiet")]);
        format!("FindFilter {mode}{flags}")
    };
    LineFilter, query, line => {
        let direction = flags(" ", &[(line.backward, "backwards")]);
        let flags = flags(
            " ",
            &[
                (line.quiet, "quiet"),
                (line.single_color, "singlecolor"),
                (line.primary, "primary"),
                (line.secondary, "secondary"),
                (line.first_match, "firstmatch"),
                (line.nest_ban.is_some(), "nestban"),
                (line.last_position, "lastposition"),
            ],
        );
        format!("Line{direction}{}{flags}", Shown(query, &line.range))
    };
    EchoFilter, query, echo => {
        let flags = flags(" ", &[(echo.in_all, "in all"), (echo.quiet, "quiet")]);
        format!("EchoFilter {} {}{flags}", Shown(query, &echo.source), Shown(query, &echo.target))
    };
    ConsecutiveMoves, query, moves => {
        let (left, right) = (Shown(query, &moves.left), Shown(query, &moves.right));
        let quiet = flags(" ", &[(moves.quiet, "quiet")]);
        format!("Consecutive moves {left} {right}{}{quiet}", Shown(query, &moves.range))
    };
    PathFilter, query, path => {
        let title =
            path.title.as_ref().map_or(String::new(), |title| format!(" title {}", quoted(title)));
        let flags = flags(
            " ",
            &[
                (matches!(path.focus, Some(Focus::Pieces { capture: true, .. })), "captures too"),
                (path.focus == Some(Focus::SideToMove), "singlecolor"),
                (path.primary, "primary"),
                (path.keep_all_best, "keepallbest"),
                (path.first_match, "firstmatch"),
                (path.nest_ban.is_some(), "nestban"),
                (path.last_position, "lastposition"),
                (path.verbose, "verbose"),
                (path.piece_path, "piecepath"),
                (path.quiet, "quiet"),
            ],
        );
        format!("Path{}{title}{flags}", Shown(query, &path.range))
    };
    GameLists, query, lists => {
        let tags = lists.tags.iter().map(|tag| format!(" for any {}", Shown(query, &tag.var)));
        format!("position lists{}", tags.collect::<String>())
    };
    PositionSequence, _, steps => {
        format!("steps{}", flags(", ", &[(steps.gapped, "with gaps")]))
    };
    SquarePairs, _, pairs => pairs_label(pairs);
    Recurrence, _, found => recurrence_label(found);
}

/// The name of a kind of operation after other words.
fn word(which: impl std::fmt::Debug) -> String {
    name(which).to_lowercase()
}

fn quoted(text: &[u8]) -> String {
    format!("{:?}", String::from_utf8_lossy(text))
}

fn alignment_label(alignment: Alignment) -> String {
    match alignment {
        Alignment::Ray { directions, attack, first } => {
            let end = if first { "first" } else { "last" };
            format!("{}, {end} squares", ray("Ray", directions, attack))
        }
        Alignment::Pin(value) => format!("Pin, value {}", word(value)),
    }
}

fn ray(noun: &str, directions: Directions, attack: bool) -> String {
    format!("{noun} {}{}", compass(directions), flags(", ", &[(attack, "attacking")]))
}

fn pattern_label(list: &[Designator]) -> String {
    let designators: Vec<_> = Designator::merged(list).iter().map(designator).collect();
    format!("Pattern {}", designators.join(" "))
}

fn pairs_label(pairs: &SquarePairs) -> String {
    let kind = match pairs.kind {
        SquarePairKind::Attack => "attacks".to_owned(),
        SquarePairKind::Ray { directions, attack } => ray("rays", directions, attack),
    };
    format!("number of {kind} in {}", interval(pairs.range))
}

fn ends(from: bool, to: bool) -> &'static str {
    match (from, to) {
        (true, true) => "[i:j]",
        (true, false) => "[i:]",
        (false, true) => "[:j]",
        (false, false) => "[:]",
    }
}

fn interval((lo, hi): (i32, i32)) -> String {
    if lo == hi { lo.to_string() } else { format!("{lo}..{hi}") }
}

fn award_label(award: &Award) -> String {
    let flags = flags(
        ", ",
        &[
            (award.special == Some(true), "special"),
            (award.special == Some(false), "not special"),
            (award.max, "the greater rank"),
            (award.sort, "its place in the order"),
        ],
    );
    award.kind.map_or_else(|| "Award".to_owned(), name) + &flags
}

fn recurrence_label(found: &Recurrence) -> String {
    let mut text = format!("Like another position of {}", node_selection(found.nodes));
    text.push_str(match found.side {
        RecurrenceSide::Same => ", same side to move",
        RecurrenceSide::Changed => ", other side to move",
        RecurrenceSide::Any => "",
    });
    if found.pattern {
        text.push_str(&format!(", on {}", squares(found.squares)));
    }
    text.push_str(&flags(", ", &[(found.flip, "flipped"), (found.shift, "shifted")]));
    for (what, ranges) in [("same", &found.same), ("different", &found.different)] {
        for range in ranges {
            text.push_str(&format!(", {what} squares {}", interval(*range)));
        }
    }
    for (what, (pieces, range)) in [("missing", found.missing), ("new", found.new)] {
        text.push_str(&format!(", {what} {} {}", designator(&pieces), interval(range)));
    }
    text
}

pub(super) fn node_selection(nodes: NodeSelection) -> &'static str {
    match nodes {
        NodeSelection::MainLine => "the main line",
        NodeSelection::All => "the game",
        NodeSelection::Variations => "the variations",
    }
}

fn move_label(m: &MoveFilter) -> String {
    let flags = flags(
        " ",
        &[
            (m.source == MoveSource::Previous, "previous"),
            (m.source == MoveSource::Legal, "legal"),
            (m.source == MoveSource::Pseudolegal, "pseudolegal"),
            (m.source == MoveSource::LegalReverse, "legal reverse"),
            (m.source == MoveSource::PseudolegalReverse, "pseudolegal reverse"),
            (m.drop, "drop"),
            (m.result == MoveResult::Count, "count"),
            (m.en_passant, "enpassant"),
            (m.null, "null"),
            (m.primary, "primary"),
            (m.secondary, "secondary"),
        ],
    );
    let castle = m.castle.map_or(String::new(), |castle| format!(" castle {}", word(castle)));
    let promote = m.promote.map_or(String::new(), |to| format!(" promote {}", kinds(to)));
    format!("Move{flags}{castle}{promote}")
}

fn kinds(kinds: u8) -> String {
    letters(Content(u16::from(kinds)))
}

fn change_label(change: &BoardChange) -> String {
    match change {
        BoardChange::Place { content, .. } => format!("{} placed", letters(*content)),
        BoardChange::Swap(..) => "swap".into(),
        BoardChange::SideToMove(None) => "other side to move".into(),
        BoardChange::SideToMove(Some(side)) => format!("{side:?} to move"),
    }
}

fn dash_label(filter: &DashFilter) -> String {
    let noun = if filter.dash.capture { "Capture" } else { "Dash" };
    let flags = flags(" ", &[(filter.previous, "previous"), (filter.count, "count")]);
    let promotion = match filter.dash.promotion {
        Some(Promotion::Kinds(to)) => format!(" ={}", kinds(to)),
        Some(Promotion::Text(_)) | None => String::new(),
    };
    format!("{noun}{flags}{promotion}")
}
