//! What the grammar cannot say about a query (cql3.md 2.1).

use super::tree::{Flag, Item, List, MatchItem, MatchList, Pieces, Range, RelationItem};
use crate::diagnostic::{Diagnostic, Span};
use crate::sema::names::nearest_of;

/// The warnings, or all errors.
pub(super) fn check(tree: &MatchList) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let mut checker = Checker::default();
    checker.match_list(tree);
    checker.errors.sort_by_key(|error| error.span);
    if checker.errors.is_empty() { Ok(checker.warnings) } else { Err(checker.errors) }
}

#[derive(Default)]
struct Checker {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    tags: Vec<String>,
}

/// Where a list stands.
#[derive(Clone, Copy, Default)]
struct Place {
    nested: bool,
    negated: bool,
    in_sequence: bool,
}

impl Checker {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(span, message));
    }

    fn match_list(&mut self, tree: &MatchList) {
        let mut once: Vec<std::mem::Discriminant<MatchItem>> = Vec::new();
        for (item, span) in &tree.items {
            let kind = std::mem::discriminant(item);
            let name = match item {
                MatchItem::Pgn(_) => ":pgn",
                MatchItem::Output(_) => ":output",
                MatchItem::Year(_) => ":year",
                MatchItem::Result(_) => ":result",
                MatchItem::GameNumber(_) => ":gamenumber",
                MatchItem::Player(_) | MatchItem::Position(_) => continue,
                MatchItem::ForAny { tag, pieces } => {
                    self.for_any(tag, matches!(pieces.pieces, Pieces::Tag(_)), *span);
                    continue;
                }
            };
            if once.contains(&kind) {
                self.error(*span, format!("`{name}` may be given once"));
            }
            once.push(kind);
            if let MatchItem::Year(range) | MatchItem::GameNumber(range) = item {
                self.range(*range, *span);
            }
        }
        let lists = || {
            tree.items.iter().filter_map(|(item, _)| match item {
                MatchItem::Position(list) => Some(list),
                _ => None,
            })
        };
        if lists().next().is_none() {
            self.errors.push(
                Diagnostic::error(tree.span, "the match list holds no position list")
                    .with_help("`(position)` matches every position"),
            );
        }
        for list in lists() {
            self.list(list, Place::default());
            self.sums(list);
        }
        let relation = lists().find(|list| list.any(&|item| matches!(item, Item::Relation(_))));
        if let (false, Some(list)) = (self.tags.is_empty(), relation) {
            self.error(list.span, "`:forany` and `:relation` cannot go together");
        }
    }

    fn for_any(&mut self, tag: &str, of_tag: bool, span: Span) {
        if self.tags.len() == 2 {
            self.error(span, "`:forany` may be given twice at most");
        }
        if self.tags.iter().any(|known| known == tag) {
            self.error(span, format!("the tag `{tag}` is declared twice"));
        }
        if !tag.chars().all(|c| c.is_ascii_alphanumeric()) {
            self.error(span, "the name of a tag has letters and digits only");
        }
        if of_tag {
            self.error(span, "`:forany` wants pieces, not another tag");
        }
        self.tags.push(tag.to_owned());
    }

    fn list(&mut self, list: &List, place: Place) {
        let place = Place { negated: place.negated || list.has(Flag::Not), ..place };
        let (mut sequences, mut counts, mut pre_counts) = (0, 0, 0);
        for (item, span) in list.placed() {
            for designator in item.designators() {
                if let Pieces::Tag(tag) = &designator.pieces {
                    self.tag(tag, span);
                }
            }
            if let Some(range) = item.range() {
                self.range(range, span);
            }
            let mut inner = Place { nested: true, ..place };
            match item {
                Item::Sequence { .. } => {
                    sequences += 1;
                    if sequences == 2 {
                        self.errors.push(
                            Diagnostic::error(span, "a position list holds one sequence at most")
                                .with_help(
                                    "combine several with `:and ((position …) (position …))`",
                                ),
                        );
                    }
                    inner.in_sequence = true;
                }
                Item::MatchCount { pre_transform, .. } => {
                    let (count, name) = if *pre_transform {
                        (&mut pre_counts, ":pretransformmatchcount")
                    } else {
                        (&mut counts, ":matchcount")
                    };
                    *count += 1;
                    if *count == 2 {
                        self.error(span, format!("`{name}` may be given once"));
                    }
                    if place.nested {
                        self.error(
                            span,
                            format!(
                                "`{name}` counts over the game: it cannot stand in a nested list"
                            ),
                        );
                    }
                }
                Item::TagMatch(tag, designator) => {
                    self.tag(tag, span);
                    if matches!(designator.pieces, Pieces::Tag(_)) {
                        self.error(span, "`:tagmatch` wants pieces, not another tag");
                    }
                }
                Item::Relation(items) => self.relation(items, span),
                Item::Flag(
                    Flag::Variations | Flag::VariationsOnly | Flag::MarkAll | Flag::NoAnnotate,
                ) if place.nested => self
                    .warnings
                    .push(Diagnostic::warning(span, "this keyword has no effect in a nested list")),
                Item::Accumulate(_) if place.negated || place.in_sequence => {
                    self.warnings.push(Diagnostic::warning(
                        span,
                        "what is accumulated under `:not` or in a sequence is hard to foresee",
                    ));
                }
                Item::Accumulate(name) | Item::SumRange(name, _)
                    if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') =>
                {
                    self.error(span, "the name of a sum has letters, digits and `_` only");
                }
                _ => {}
            }
            for list in item.lists() {
                self.list(list, inner);
            }
        }
    }

    /// The sums of a list of the top level: each has to be accumulated in it.
    fn sums(&mut self, top: &List) {
        let mut sums: Vec<&str> = Vec::new();
        top.visit(&mut |item, _| {
            if let Item::Accumulate(name) = item {
                sums.push(name);
            }
        });
        let mut unknown = Vec::new();
        top.visit(&mut |item, span| {
            if let Item::SumRange(name, _) = item
                && !sums.contains(&name.as_str())
            {
                let near = nearest_of(name, sums.iter().copied());
                unknown.push((name.clone(), near.map(str::to_owned), span));
            }
        });
        for (name, near, span) in unknown {
            let message = format!("the sum `{name}` is always 0: nothing in this list adds to it");
            let warning = Diagnostic::warning(span, message);
            self.warnings.push(match near {
                Some(near) => warning.with_help(format!("did you mean `{near}`?")),
                None => warning.with_help(format!("`:accumulate {name}` adds 1 to it")),
            });
        }
    }

    fn relation(&mut self, items: &[RelationItem], span: Span) {
        for wanted in [false, true] {
            let found = items
                .iter()
                .filter(|item| matches!(item, RelationItem::Pieces { new, .. } if *new == wanted));
            if found.count() > 1 {
                let name = if wanted { "new" } else { "missing" };
                self.error(span, format!("`:{name}piececount` may be given once"));
            }
        }
        for item in items {
            match item {
                RelationItem::Count { range, .. } => self.range(*range, span),
                RelationItem::Pieces { pieces, range, .. } => {
                    self.range(*range, span);
                    if matches!(pieces.pieces, Pieces::Tag(_)) {
                        self.error(span, "`:relation` knows no tags");
                    }
                }
                RelationItem::Flag(_) => {}
            }
        }
    }

    fn tag(&mut self, tag: &str, span: Span) {
        if !self.tags.iter().any(|known| known == tag) {
            self.errors.push(
                Diagnostic::error(span, format!("the tag `{tag}` is not declared"))
                    .with_help(format!("declare it in the match list: `:forany {tag} U`")),
            );
        }
    }

    fn range(&mut self, range: Range, span: Span) {
        if range.lo > range.hi {
            self.warnings.push(
                Diagnostic::warning(span, "nothing lies in this range")
                    .with_help("the first number of a range is the least"),
            );
        }
    }
}
