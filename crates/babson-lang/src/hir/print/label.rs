//! The label of a node in the printed tree.

use super::Printer;
use super::spelling::{compass, designator, letters, name, squares};
use crate::ast::print::flags;
use crate::hir::*;

impl Printer<'_> {
    pub(super) fn var(&self, id: VarId) -> String {
        self.query.vars.get(id.0 as usize).map_or("?", |var| var.name.as_str()).to_owned()
    }

    fn dictionary(&self, id: DictId) -> &str {
        self.query.dictionaries.get(id.0 as usize).map_or("?", |d| d.name.as_str())
    }

    fn range(&self, range: &NumberRange) -> String {
        let bound = |bound: Bound| match bound {
            Bound::Const(n) => n.to_string(),
            Bound::Var(var) => self.var(var),
        };
        format!("{}..{}", bound(range.min), bound(range.max))
    }

    pub(super) fn label(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Number(n) => n.to_string(),
            ExprKind::Text(text) => quoted(text),
            ExprKind::Designator(d) => designator(d),
            ExprKind::Squares(mask) => squares(*mask),
            ExprKind::Var(var) => self.var(*var),
            ExprKind::Property(Property::Award(award)) => award_label(award),
            ExprKind::Condition(which) => name(which),
            ExprKind::Property(Property::Tag(tag)) => name(tag),
            ExprKind::Property(which) => name(which),
            ExprKind::Unary(which, _) => name(which),
            ExprKind::Binary(which, ..) => name(which),
            ExprKind::Arithmetic(op, ..) => name(op),
            ExprKind::Compare(op, ..) => name(op),
            ExprKind::Equal(..) => "Same".into(),
            ExprKind::Extreme { min, .. } => if *min { "Least" } else { "Greatest" }.into(),
            ExprKind::Sequence(_) => "Sequence".into(),
            ExprKind::And(..) => "And".into(),
            ExprKind::Or(..) => "Or".into(),
            ExprKind::Not(_) => "Not".into(),
            ExprKind::If { .. } => "If".into(),
            ExprKind::While { .. } => "While".into(),
            ExprKind::Loop(_) => "Loop".into(),
            ExprKind::With { .. } => "With position".into(),
            ExprKind::Direction { directions, range, .. } => {
                format!("Direction {} {}", compass(*directions), self.range(range))
            }
            ExprKind::Aligned(alignment, _) => alignment_label(*alignment),
            ExprKind::FenPattern(pattern) => pattern_label(&pattern.designators),
            ExprKind::ForSquares { var, all, .. } => self.loop_label("squares", *var, *all),
            ExprKind::ForPieces { var, all, .. } => self.loop_label("pieces", *var, *all),
            ExprKind::ForKeys { var, dictionary, .. } => {
                format!("For keys {} of {}", self.var(*var), self.dictionary(*dictionary))
            }
            ExprKind::Assign { var, if_any, .. } => {
                format!("Assign{} {}", flags(" ", &[(*if_any, "if any")]), self.var(*var))
            }
            ExprKind::Update { var, op, .. } => format!("Update {}: {}", self.var(*var), word(op)),
            ExprKind::BindPiece { var, .. } => format!("Bind piece {}", self.var(*var)),
            ExprKind::Unbind(var) => format!("Unbind {}", self.var(*var)),
            ExprKind::IsBound(var) => format!("Is bound {}", self.var(*var)),
            ExprKind::Lookup { dictionary, .. } => {
                format!("Lookup in {}", self.dictionary(*dictionary))
            }
            ExprKind::Store { dictionary, op, .. } => {
                let op = op.map_or(String::new(), |op| format!(": {}", word(op)));
                format!("Store in {}{op}", self.dictionary(*dictionary))
            }
            ExprKind::Erase { dictionary, key } => {
                let part = if key.is_none() { "all of" } else { "from" };
                format!("Erase {part} {}", self.dictionary(*dictionary))
            }
            ExprKind::DictionaryLen(dictionary) => {
                format!("Length of {}", self.dictionary(*dictionary))
            }
            ExprKind::CharAt { .. } => "Character".into(),
            ExprKind::Slice { from, to, .. } => {
                format!("Slice{}", ends(from.is_some(), to.is_some()))
            }
            ExprKind::AssignSlice { var, single, from, to, .. } => {
                let place = if *single { "[i]" } else { ends(from.is_some(), to.is_some()) };
                format!("Assign {}{place}", self.var(*var))
            }
            ExprKind::SimilarPosition => "Similar position".into(),
            ExprKind::Likeness => {
                let board = self.query.like.as_ref().map(Like::board);
                format!("Likeness {}", board.unwrap_or_default())
            }
            ExprKind::Match { .. } => "Match".into(),
            ExprKind::ForMatches { .. } => "For matches".into(),
            ExprKind::Group(number) => format!("Group {number}"),
            ExprKind::GroupIndex(number) => format!("Place of group {number}"),
            ExprKind::Orbit { elements, result, .. } => self.orbit_label(elements.len(), result),
            ExprKind::NoTransform(_) => "Not transformed".into(),
            ExprKind::CurrentTransform(name) => format!("<{}>", name.0),
            ExprKind::Move(m) => move_label(m),
            ExprKind::SpeculativeMove(s) => {
                format!("Try {}{}", move_label(&s.moves), flags(" ", &[(s.all, "all")]))
            }
            ExprKind::Imagine { changes, .. } => {
                let labels: Vec<String> = changes.iter().map(change_label).collect();
                format!("Imagine {}", labels.join(", "))
            }
            ExprKind::Dash(filter) => dash_label(filter),
            ExprKind::Find(find) => self.find_label(find),
            ExprKind::GameLists(lists) => {
                let tags = lists.tags.iter().map(|tag| format!(" for any {}", self.var(tag.var)));
                format!("position lists{}", tags.collect::<String>())
            }
            ExprKind::PositionSequence(steps) => {
                format!("steps{}", flags(", ", &[(steps.gapped, "with gaps")]))
            }
            ExprKind::Pairs(pairs) => pairs_label(pairs),
            ExprKind::Recurrence(found) => recurrence_label(found),
            ExprKind::Line(line) => self.line_label(line),
            ExprKind::Echo(echo) => self.echo_label(echo),
            ExprKind::ConsecutiveMoves(moves) => self.consecutive_moves_label(moves),
            ExprKind::Path(path) => self.path_label(path),
            ExprKind::Sort { key, .. } => {
                let key = self.query.sorts.get(key.0 as usize);
                format!("Sort \"{}\"", key.map_or("?", |key| key.name.as_str()))
            }
            ExprKind::Comment(_) => "Comment".into(),
            ExprKind::Field { name, .. } => format!("Field \"{name}\""),
            ExprKind::Message { quiet, .. } => {
                format!("Message{}", flags(" ", &[(*quiet, "quiet")]))
            }
            ExprKind::Str(_) => "Str".into(),
            ExprKind::SetTag { name, .. } => format!("Set tag {name}"),
            ExprKind::RemoveTag(name) => format!("Remove tag {name}"),
            ExprKind::HasNag(nag) => format!("NAG ${nag}"),
            ExprKind::WriteFile { .. } => "Write file".into(),
            ExprKind::CommandPipe { command, .. } => format!("Command pipe {}", command.join(" ")),
            ExprKind::Assert(_) => "Assert".into(),
        }
    }

    fn loop_label(&self, elements: &str, var: VarId, all: bool) -> String {
        format!("For{} {elements} {}", flags(" ", &[(all, "all")]), self.var(var))
    }

    fn orbit_label(&self, elements: usize, result: &OrbitResult) -> String {
        match result {
            OrbitResult::Count(range) => {
                format!("Orbit of {elements}, count in {}", self.range(range))
            }
            OrbitResult::Union | OrbitResult::Max | OrbitResult::Any => {
                format!("Orbit of {elements}, {}", word(result))
            }
        }
    }

    fn find_label(&self, find: &FindFilter) -> String {
        let mode = match &find.mode {
            FindMode::Range(range) => self.range(range),
            FindMode::First | FindMode::All => word(find.mode),
        };
        let flags = flags(" ", &[(find.backward, "backwards"), (find.quiet, "quiet")]);
        format!("FindFilter {mode}{flags}")
    }

    /// A range after the name of a filter.
    fn optional_range(&self, range: Option<&NumberRange>) -> String {
        range.map_or(String::new(), |range| format!(" {}", self.range(range)))
    }

    fn line_label(&self, line: &LineFilter) -> String {
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
        format!("Line{direction}{}{flags}", self.optional_range(line.range.as_ref()))
    }

    fn echo_label(&self, echo: &EchoFilter) -> String {
        let flags = flags(" ", &[(echo.in_all, "in all"), (echo.quiet, "quiet")]);
        format!("EchoFilter {} {}{flags}", self.var(echo.source), self.var(echo.target))
    }

    fn consecutive_moves_label(&self, moves: &ConsecutiveMoves) -> String {
        let range = self.optional_range(moves.range.as_ref());
        let quiet = flags(" ", &[(moves.quiet, "quiet")]);
        let (left, right) = (self.var(moves.left), self.var(moves.right));
        format!("Consecutive moves {left} {right}{range}{quiet}")
    }

    fn path_label(&self, path: &PathFilter) -> String {
        let range = self.optional_range(path.range.as_ref());
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
        format!("Path{range}{title}{flags}")
    }
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
