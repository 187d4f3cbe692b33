//! The label of a node in the printed tree.

use super::Printer;
use super::spelling::{compass, designator, letters, name, squares};
use crate::hir::*;

impl Printer<'_> {
    pub(super) fn var(&self, id: VarId) -> String {
        match self.query.vars.get(id.0 as usize) {
            Some(var) if !var.name.is_empty() => var.name.clone(),
            _ => format!("<argument {}>", id.0),
        }
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
        let all = |all: bool| if all { " all" } else { "" };
        match &e.kind {
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Number(n) => n.to_string(),
            ExprKind::Text(text) => format!("{:?}", String::from_utf8_lossy(text)),
            ExprKind::Designator(d) => designator(d),
            ExprKind::Squares(mask) => squares(*mask),
            ExprKind::Var(var) => self.var(*var),
            ExprKind::Quantity(Quantity::Award(award)) => award_label(award),
            ExprKind::Condition(which) => name(which),
            ExprKind::Quantity(Quantity::Tag(tag)) => name(tag),
            ExprKind::Quantity(which) => name(which),
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
            ExprKind::Aligned(Alignment::Ray { directions, attack, first }, _) => format!(
                "Ray {}{}{}",
                compass(*directions),
                if *attack { ", attacking" } else { "" },
                if *first { ", first squares" } else { ", last squares" }
            ),
            ExprKind::Aligned(Alignment::Pin(value), _) => {
                format!("Pin, value {}", name(value).to_lowercase())
            }
            ExprKind::FenPattern(list) => {
                let list = Designator::merged(list);
                format!("Pattern {}", list.iter().map(designator).collect::<Vec<_>>().join(" "))
            }
            ExprKind::ForSquares { var, all: every, .. } => {
                format!("For{} squares {}", all(*every), self.var(*var))
            }
            ExprKind::ForPieces { var, all: every, .. } => {
                format!("For{} pieces {}", all(*every), self.var(*var))
            }
            ExprKind::ForKeys { var, dictionary, .. } => {
                format!("For keys {} of {}", self.var(*var), self.dictionary(*dictionary))
            }
            ExprKind::Assign { var, if_any, .. } => {
                format!("Assign{} {}", if *if_any { " if any" } else { "" }, self.var(*var))
            }
            ExprKind::Update { var, op, .. } => {
                format!("Update {}: {}", self.var(*var), name(op).to_lowercase())
            }
            ExprKind::BindPiece { var, .. } => format!("Bind piece {}", self.var(*var)),
            ExprKind::Unbind(var) => format!("Unbind {}", self.var(*var)),
            ExprKind::IsBound(var) => format!("Is bound {}", self.var(*var)),
            ExprKind::Lookup { dictionary, .. } => {
                format!("Lookup in {}", self.dictionary(*dictionary))
            }
            ExprKind::Store { dictionary, op, .. } => match op {
                Some(op) => {
                    let op = name(op).to_lowercase();
                    format!("Store in {}: {op}", self.dictionary(*dictionary))
                }
                None => format!("Store in {}", self.dictionary(*dictionary)),
            },
            ExprKind::Erase { dictionary, key } => {
                format!(
                    "Erase{} {}",
                    if key.is_none() { " all of" } else { " from" },
                    self.dictionary(*dictionary)
                )
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
            ExprKind::Match { .. } => "Match".into(),
            ExprKind::ForMatches { .. } => "For matches".into(),
            ExprKind::Group(number) => format!("Group {number}"),
            ExprKind::GroupIndex(number) => format!("Place of group {number}"),
            ExprKind::Orbit { elements, result, .. } => match result {
                OrbitResult::Count(range) => {
                    format!("Orbit of {}, count in {}", elements.len(), self.range(range))
                }
                OrbitResult::Union | OrbitResult::Max | OrbitResult::Any => {
                    format!("Orbit of {}, {}", elements.len(), name(result).to_lowercase())
                }
            },
            ExprKind::NoTransform(_) => "Not transformed".into(),
            ExprKind::CurrentTransform(name) => format!("<{}>", name.0),
            ExprKind::Move(m) => move_label(m),
            ExprKind::SpeculativeMove(s) => {
                let all = if s.all { " all" } else { "" };
                format!("Try {}{all}", move_label(&s.moves))
            }
            ExprKind::Imagine { changes, .. } => {
                let labels: Vec<String> = changes.iter().map(change_label).collect();
                format!("Imagine {}", labels.join(", "))
            }
            ExprKind::Dash(filter) => dash_label(filter),
            ExprKind::Find(find) => {
                let mode = match &find.mode {
                    FindMode::Range(range) => self.range(range),
                    FindMode::First | FindMode::All => name(find.mode).to_lowercase(),
                };
                let back = if find.backward { " backwards" } else { "" };
                format!("FindFilter {mode}{back}{}", if find.quiet { " quiet" } else { "" })
            }
            ExprKind::GameLists(lists) => {
                let mut text = "position lists".to_owned();
                for tag in &lists.tags {
                    text.push_str(&format!(" for any {}", self.var(tag.var)));
                }
                text
            }
            ExprKind::PositionSequence(steps) if steps.gapped => "steps, with gaps".to_owned(),
            ExprKind::PositionSequence(_) => "steps".to_owned(),
            ExprKind::Pairs(pairs) => {
                let kind = match pairs.kind {
                    SquarePairKind::Attack => "attacks".to_owned(),
                    SquarePairKind::Ray { directions, attack } => format!(
                        "rays {}{}",
                        compass(directions),
                        if attack { ", attacking" } else { "" }
                    ),
                };
                format!("number of {kind} in {}", interval(pairs.range))
            }
            ExprKind::Recurrence(found) => recurrence_label(found),
            ExprKind::Line(line) => {
                let mut text = format!("Line{}", if line.backward { " backwards" } else { "" });
                if let Some(range) = &line.range {
                    text.push_str(&format!(" {}", self.range(range)));
                }
                for (is_set, word) in [
                    (line.quiet, "quiet"),
                    (line.single_color, "singlecolor"),
                    (line.primary, "primary"),
                    (line.secondary, "secondary"),
                    (line.first_match, "firstmatch"),
                    (line.nest_ban.is_some(), "nestban"),
                    (line.last_position, "lastposition"),
                ] {
                    if is_set {
                        text.push_str(&format!(" {word}"));
                    }
                }
                text
            }
            ExprKind::Echo(echo) => format!(
                "EchoFilter {} {}{}{}",
                self.var(echo.source),
                self.var(echo.target),
                if echo.in_all { " in all" } else { "" },
                if echo.quiet { " quiet" } else { "" }
            ),
            ExprKind::ConsecutiveMoves(moves) => {
                let range =
                    moves.range.map_or(String::new(), |range| format!(" {}", self.range(&range)));
                format!(
                    "Consecutive moves {} {}{range}{}",
                    self.var(moves.left),
                    self.var(moves.right),
                    if moves.quiet { " quiet" } else { "" }
                )
            }
            ExprKind::Path(path) => {
                let mut text = String::from("Path");
                if let Some(range) = &path.range {
                    text.push_str(&format!(" {}", self.range(range)));
                }
                if let Some(title) = &path.title {
                    text.push_str(&format!(" title {:?}", String::from_utf8_lossy(title)));
                }
                let captures = matches!(path.focus, Some(Focus::Pieces { capture: true, .. }));
                let single_color = matches!(path.focus, Some(Focus::SideToMove));
                for (is_set, word) in [
                    (captures, "captures too"),
                    (single_color, "singlecolor"),
                    (path.primary, "primary"),
                    (path.keep_all_best, "keepallbest"),
                    (path.first_match, "firstmatch"),
                    (path.nest_ban.is_some(), "nestban"),
                    (path.last_position, "lastposition"),
                    (path.verbose, "verbose"),
                    (path.piece_path, "piecepath"),
                    (path.quiet, "quiet"),
                ] {
                    if is_set {
                        text.push_str(&format!(" {word}"));
                    }
                }
                text
            }
            ExprKind::Sort { key, .. } => {
                format!(
                    "Sort \"{}\"",
                    self.query.sorts.get(key.0 as usize).map_or("?", |key| key.name.as_str())
                )
            }
            ExprKind::Comment(_) => "Comment".into(),
            ExprKind::Field { name, .. } => format!("Field \"{name}\""),
            ExprKind::Message { quiet, .. } => {
                format!("Message{}", if *quiet { " quiet" } else { "" })
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
    let mut text = award.kind.map_or_else(|| "Award".to_owned(), name);
    for (is_set, word) in [
        (award.special == Some(true), ", special"),
        (award.special == Some(false), ", not special"),
        (award.max, ", the greater rank"),
        (award.sort, ", its place in the order"),
    ] {
        if is_set {
            text.push_str(word);
        }
    }
    text
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
    for (is_set, word) in [(found.flip, ", flipped"), (found.shift, ", shifted")] {
        if is_set {
            text.push_str(word);
        }
    }
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
    let mut text = String::from("Move");
    for (is_set, word) in [
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
    ] {
        if is_set {
            text.push_str(&format!(" {word}"));
        }
    }
    if let Some(castle) = m.castle {
        text.push_str(&format!(" castle {}", name(castle).to_lowercase()));
    }
    if let Some(kinds) = m.promote {
        text.push_str(&format!(" promote {}", letters(Content(u16::from(kinds)))));
    }
    text
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
    let mut text = String::from(if filter.dash.capture { "Capture" } else { "Dash" });
    for (is_set, word) in [(filter.previous, "previous"), (filter.count, "count")] {
        if is_set {
            text.push_str(&format!(" {word}"));
        }
    }
    if let Some(Promotion::Kinds(kinds)) = filter.dash.promotion {
        text.push_str(&format!(" ={}", letters(Content(u16::from(kinds)))));
    }
    text
}
