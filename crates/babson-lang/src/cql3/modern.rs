//! The modern query that finds the same games, where there is one (cql3.md, the right columns).

mod item;

use super::transform;
use super::tree::{
    Designator, Flag, Item, List, MatchItem, MatchList, Pieces, Range, RelationFlag, RelationItem,
    Transform,
};
use crate::diagnostic::{Diagnostic, Span};
use crate::hir::Content;
use crate::steps::Steps;

/// A list with more images than this is not written out.
const MOST_IMAGES: usize = 16;

/// Writes the query anew.
///
/// # Errors
/// What is wrong with it, or each construct that has no modern form.
///
/// ```
/// let old = "(match :pgn a.pgn (position R :mate :flipcolor))";
/// let new = babson_lang::cql3::to_modern(old).unwrap();
/// assert_eq!(new, "cql(input a.pgn matchstring \"MATCH\")\nflipcolor {\n  R\n  mate\n}\n");
/// ```
pub fn to_modern(text: &str) -> Result<String, Vec<Diagnostic>> {
    let tree = super::parse(text, &mut Steps::default())?;
    super::check::check(&tree)?;
    let mut writer = Writer::default();
    let query = writer.query(&tree);
    if writer.errors.is_empty() {
        Ok(query)
    } else {
        Err(writer.errors)
    }
}

#[derive(Default)]
struct Writer {
    errors: Vec<Diagnostic>,
    /// Numbers of the variables made up so far.
    names: usize,
    /// The list visits variations: what is about one move must stay in one filter.
    in_variations: bool,
    steps: Steps,
}

impl Writer {
    fn none(&mut self, span: Span, what: &str, help: &str) -> String {
        let error = Diagnostic::error(span, format!("{what} has no modern form"));
        self.errors.push(error.with_help(help));
        String::new()
    }

    fn query(&mut self, tree: &MatchList) -> String {
        let mut header = Vec::new();
        let mut conditions = Vec::new();
        let mut lists: Vec<&List> = Vec::new();
        let mut tags: Vec<(&str, Content)> = Vec::new();
        for (item, span) in &tree.items {
            match item {
                MatchItem::Pgn(file) => header.push(self.file("input", file, *span)),
                MatchItem::Output(file) => header.push(self.file("output", file, *span)),
                MatchItem::GameNumber(Range { lo, hi }) => {
                    header.push(format!("gamenumber {lo} {hi}"));
                }
                MatchItem::Result(result) => conditions.push(item::result(*result)),
                MatchItem::Year(range) => conditions.push(item::within("year", *range)),
                MatchItem::Player(name) => {
                    let name = self.text(&name.to_lowercase(), *span);
                    conditions.push(format!(
                        "{{{name} in lowercase player white or {name} in lowercase player black}}"
                    ));
                }
                MatchItem::ForAny { tag, pieces } => {
                    if let Pieces::Kinds(content) = pieces.pieces {
                        tags.push((tag, content));
                    }
                }
                MatchItem::Position(list) => lists.push(list),
            }
        }
        self.scopes(&lists);
        header.extend(self.in_variations.then(|| "variations".to_owned()));
        let count = lists
            .iter()
            .flat_map(|list| &list.items)
            .find_map(|item| match item {
                Item::MatchCount {
                    pre_transform: false,
                    range,
                } => Some(*range),
                _ => None,
            });
        let body = match (lists.as_slice(), tags.is_empty()) {
            ([list], true) => {
                if let Some(Range { lo, hi }) = count {
                    header.push(format!("matchcount {lo} {hi}"));
                }
                self.scoped(list)
            }
            (lists, _) => {
                let finds: Vec<String> = lists.iter().map(|list| self.find(list)).collect();
                let finds = self.tagged(&tags, finds.join("\n"), tree.span);
                format!("initial\n{finds}")
            }
        };
        header.push("matchstring \"MATCH\"".to_owned());
        conditions.push(body);
        format!("cql({})\n{}\n", header.join(" "), conditions.join("\n"))
    }

    fn scopes(&mut self, lists: &[&List]) {
        let visits = |list: &List| list.has(Flag::Variations) || list.has(Flag::VariationsOnly);
        self.in_variations = lists.iter().any(|list| {
            visits(list)
                || list.any(&|item| match item {
                    Item::Relation(items) => items.iter().any(|item| {
                        matches!(
                            item,
                            RelationItem::Flag(
                                RelationFlag::Variations | RelationFlag::VariationsOnly
                            )
                        )
                    }),
                    _ => false,
                })
        });
    }

    /// The filter of a top-level list, with its nodes.
    fn scoped(&mut self, list: &List) -> String {
        let filter = self.list(list);
        if !self.in_variations || list.has(Flag::Variations) && !list.has(Flag::VariationsOnly) {
            filter
        } else if list.has(Flag::VariationsOnly) {
            format!("variation\n{filter}")
        } else {
            // The moves of variations must not be seen from the main line.
            if list.any(&|item| item::is_about_a_move(item)) {
                self.none(
                    list.span,
                    "a list about moves of the main line beside one with `:variations`",
                    "give each list a query of its own",
                );
            }
            format!("mainline\n{filter}")
        }
    }

    fn find(&mut self, list: &List) -> String {
        let filter = indented(&self.scoped(list));
        let range = list.items.iter().find_map(|item| match item {
            Item::MatchCount {
                pre_transform: false,
                range,
            } => Some(*range),
            _ => None,
        });
        match range {
            None => format!("find quiet {{\n{filter}\n}}"),
            // A `find` with a range finds one at least: what is asked for is not more than `hi`.
            Some(Range { lo, hi }) if lo < 1 => {
                format!(
                    "not find quiet {} 100000 {{\n{filter}\n}}",
                    hi.saturating_add(1).max(1)
                )
            }
            Some(Range { lo, hi }) => format!("find quiet {lo} {hi} {{\n{filter}\n}}"),
        }
    }

    /// The lists, for any binding of the tags.
    fn tagged(&mut self, tags: &[(&str, Content)], finds: String, span: Span) -> String {
        let mut body = finds;
        for (at, (tag, content)) in tags.iter().enumerate().rev() {
            let kinds = content.to_string();
            let mut lines = String::new();
            if let Some((other, _)) = tags[..at].first() {
                lines.push_str(&format!("not ${tag} & ${other}\n"));
            }
            if content.0 & 0xfff != 0xfff {
                lines.push_str(&format!("find quiet {{${tag} & {kinds}}}\n"));
            }
            lines.push_str(&body);
            body = format!("piece ${tag} in [Aa] {{\n{}\n}}", indented(&lines));
        }
        if tags
            .iter()
            .any(|(_, content)| content.0 & Content::EMPTY.0 != 0)
        {
            return self.none(span, "a tag for empty squares", "name pieces");
        }
        body
    }

    /// A file name as the header takes it.
    fn file(&mut self, word: &str, name: &str, span: Span) -> String {
        let plain = !name.contains(|c: char| c.is_whitespace() || "()<>\"".contains(c))
            && name.rsplit_once('.').is_some_and(|(_, end)| {
                !end.is_empty() && end.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            });
        if plain {
            format!("{word} {name}")
        } else {
            self.none(
                span,
                "this file name",
                "a file name of a modern header has an ending and no blanks: give it on the command line",
            )
        }
    }

    fn text(&mut self, text: &str, span: Span) -> String {
        if text.contains('\n') {
            return self.none(span, "a text over several lines", "write it on one line");
        }
        format!("\"{text}\"")
    }

    /// A list as a filter (one or several lines).
    fn list(&mut self, list: &List) -> String {
        let transforms: Vec<Transform> = list
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Flag(Flag::Transform(transform)) => Some(*transform),
                _ => None,
            })
            .collect();
        let mut filter = match keywords(&transforms, list) {
            Some(words) => {
                let plain = List {
                    items: Vec::new(),
                    spans: Vec::new(),
                    span: list.span,
                };
                let plain = list.placed().fold(plain, |mut plain, (item, span)| {
                    if !matches!(item, Item::Flag(Flag::Transform(_))) {
                        plain.items.push(item.clone());
                        plain.spans.push(span);
                    }
                    plain
                });
                let items = self.items(&plain);
                if words.is_empty() {
                    items
                } else {
                    format!("{} {}", words.join(" "), braced(&items))
                }
            }
            None => {
                let Some(images) = transform::images(list, &mut self.steps.copied) else {
                    self.errors.push(super::lower::too_many_copies(list.span));
                    return String::new();
                };
                if images.len() > MOST_IMAGES {
                    return self.none(
                        list.span,
                        "a shift that lets squares on the edge grow (or such transforms in this order)",
                        "use squares off the edge that the shift departs from, or write the images out",
                    );
                }
                let images: Vec<String> = images
                    .iter()
                    .map(|image| braced(&self.items(image)))
                    .collect();
                braced(&images.join("\nor "))
            }
        };
        if list.has(Flag::Not) {
            filter = format!("not {}", braced(&filter));
        }
        filter
    }

    /// The items of a list without transforms.
    fn items(&mut self, list: &List) -> String {
        let mut lines = Vec::new();
        self.move_filter(list, &mut lines);
        for (item, span) in list.placed() {
            lines.extend(self.item(item, span));
        }
        if lines.is_empty() {
            lines.push("true".to_owned());
        }
        lines.join("\n")
    }
}

/// Modern transforms that do the same to the list, if there are such.
fn keywords(transforms: &[Transform], list: &List) -> Option<Vec<&'static str>> {
    let mut words = Vec::new();
    let mut sorted = transforms.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    for transform in &sorted {
        words.push(match transform {
            Transform::Flip => "flip",
            Transform::FlipHorizontal => "fliphorizontal",
            Transform::FlipVertical => "flipvertical",
            Transform::FlipColor => "flipcolor",
            Transform::Shift => "shift",
            Transform::ShiftHorizontal => "shifthorizontal",
            Transform::ShiftVertical => "shiftvertical",
            _ => return None,
        });
    }
    let shifts: Vec<Transform> = sorted
        .iter()
        .copied()
        .filter(|transform| *transform >= Transform::Shift)
        .collect();
    if shifts.is_empty() {
        return Some(words);
    }
    // The flips of a whole shift set are shifts again; one along an axis turns with the board.
    let turns = sorted.contains(&Transform::Flip) && !shifts.contains(&Transform::Shift);
    let edge = match shifts.as_slice() {
        [Transform::ShiftHorizontal] => FILES,
        [Transform::ShiftVertical] => RANKS,
        _ => FILES | RANKS,
    };
    if turns || !shifts_alike(list, edge) {
        return None;
    }
    words.rotate_left(sorted.len() - shifts.len());
    Some(words)
}

/// The a and h files, the first and last rank.
const FILES: u64 = 0x8181_8181_8181_8181;
const RANKS: u64 = 0xff00_0000_0000_00ff;

/// Whether a shift means the same in both languages: no square stands on an edge that it departs
/// from, and a designator that left the board cannot make the list match.
fn shifts_alike(list: &List, edge: u64) -> bool {
    list.items.iter().all(|item| {
        let inside = |d: &&Designator| d.squares == !0 || d.squares & edge == 0;
        let needs_pieces = match item {
            Item::PieceCount(d, range)
            | Item::Power {
                difference: false,
                pieces: d,
                range,
            } => range.lo > 0 || d.squares == !0,
            Item::Power { pieces: d, .. } => d.squares == !0,
            Item::AttackCount { range, .. } | Item::Ray { range, .. } => range.lo > 0,
            Item::Logic { or: true, .. } | Item::Flag(Flag::Not) => list
                .items
                .iter()
                .all(|item| item.designators().iter().all(|d| d.squares == !0)),
            _ => true,
        };
        needs_pieces
            && item.designators().iter().all(inside)
            && item
                .lists()
                .iter()
                .all(|list| shifts_alike(list, edge) && !list.has(Flag::Not))
    }) && !list.has(Flag::Not)
}

fn braced(filter: &str) -> String {
    format!("{{\n{}\n}}", indented(filter))
}

fn indented(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("  {line}")).collect();
    lines.join("\n")
}
