//! Rules that the grammar does not express
//! (docs/src/language/cql3.md#combinations-that-are-errors).

use babson_lang::diagnostic::{Code, Diagnostic, Span, quoted};
use babson_lang::nearest_of;

use crate::tree::{
    ItemPart, MatchItem, MatchList, Pieces, PositionFlag, PositionItem, PositionList, RelationItem,
    ValueRange,
};

/// The warnings of a query without errors, or all errors.
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

/// The lists and keywords around a list.
#[derive(Clone, Copy, Default)]
struct ListContext {
    nested: bool,
    negated: bool,
    in_sequence: bool,
}

impl Checker {
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::new(code, span, message));
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
                self.errors.push(Diagnostic::duplicate(*span, &quoted(name)));
            }
            once.push(kind);
            if let MatchItem::Year(range) | MatchItem::GameNumber(range) = item {
                self.range(*range, *span);
            }
        }
        if tree.lists().next().is_none() {
            self.errors.push(
                Diagnostic::new(
                    Code::EmptyMatchList,
                    tree.span,
                    "the match list holds no position list",
                )
                .with_help("`(position)` matches every position"),
            );
        }
        for list in tree.lists() {
            self.list(list, ListContext::default());
            self.sums(list);
        }
        let relation =
            tree.lists().find(|list| list.any(&|item| matches!(item, PositionItem::Relation(_))));
        if let (false, Some(list)) = (self.tags.is_empty(), relation) {
            self.errors.push(Diagnostic::excluding(list.span, "`:relation`", "`:forany`"));
        }
    }

    fn for_any(&mut self, tag: &str, of_tag: bool, span: Span) {
        if self.tags.len() == 2 {
            self.error(Code::DuplicateParameter, span, "`:forany` is written three times");
        }
        if self.tags.iter().any(|known| known == tag) {
            self.error(Code::DuplicateTag, span, format!("the tag `{tag}` is declared twice"));
        }
        if !tag.chars().all(|c| c.is_ascii_alphanumeric()) {
            self.error(
                Code::MalformedCql3Name,
                span,
                "the name of a tag has letters and digits only",
            );
        }
        if of_tag {
            self.error(Code::TagForPieces, span, "`:forany` wants pieces, not another tag");
        }
        self.tags.push(tag.to_owned());
    }

    fn list(&mut self, list: &PositionList, context: ListContext) {
        let context =
            ListContext { negated: context.negated || list.has(PositionFlag::Not), ..context };
        self.repeated(list);
        for (item, span) in list.spanned() {
            let is_sequence = matches!(item, PositionItem::Sequence { .. });
            let in_sequence = context.in_sequence || is_sequence;
            item.parts(&mut |part| match part {
                ItemPart::Designator(designator) => {
                    if let Pieces::Tag(tag) = &designator.pieces {
                        self.tag(tag, span);
                    }
                }
                ItemPart::Range(range) | ItemPart::Difference(range) => self.range(*range, span),
                ItemPart::List(list) => {
                    self.list(list, ListContext { nested: true, in_sequence, ..context });
                }
                ItemPart::Condition(_) | ItemPart::Side(_) | ItemPart::Directions(_) => {}
            });
            self.item(item, span, context);
        }
    }

    /// Reports items that a list may hold only once.
    fn repeated(&mut self, list: &PositionList) {
        let second = |test: &dyn Fn(&PositionItem) -> bool| {
            list.spanned().filter(|(item, _)| test(item)).nth(1).map(|(_, span)| span)
        };
        if let Some(span) = second(&|item| matches!(item, PositionItem::Sequence { .. })) {
            let message = "a position list holds one sequence at most";
            self.errors.push(
                Diagnostic::new(Code::DuplicateSequence, span, message)
                    .with_help("combine several with `:and ((position …) (position …))`"),
            );
        }
        for pre in [false, true] {
            let is_count = |item: &PositionItem| matches!(item, PositionItem::MatchCount { pre_transform, .. } if *pre_transform == pre);
            if let Some(span) = second(&is_count) {
                self.errors.push(Diagnostic::duplicate(span, &quoted(match_count(pre))));
            }
        }
    }

    /// Checks an item of a list in its context.
    fn item(&mut self, item: &PositionItem, span: Span, context: ListContext) {
        match item {
            PositionItem::MatchCount { pre_transform, .. } if context.nested => {
                let name = match_count(*pre_transform);
                let message =
                    format!("`{name}` counts over the game: it cannot stand in a nested list");
                self.error(Code::NestedMatchCount, span, message);
            }
            PositionItem::TagMatch(tag, designator) => {
                self.tag(tag, span);
                if matches!(designator.pieces, Pieces::Tag(_)) {
                    let message = "`:tagmatch` wants pieces, not another tag";
                    self.error(Code::TagForPieces, span, message);
                }
            }
            PositionItem::Relation(items) => self.relation(items, span),
            PositionItem::Flag(
                PositionFlag::Variations
                | PositionFlag::VariationsOnly
                | PositionFlag::MarkAll
                | PositionFlag::NoAnnotate,
            ) if context.nested => self.warnings.push(Diagnostic::new(
                Code::IneffectiveKeyword,
                span,
                "this keyword has no effect in a nested list",
            )),
            PositionItem::Accumulate(_) if context.negated || context.in_sequence => {
                self.warnings.push(Diagnostic::new(
                    Code::UnpredictableSum,
                    span,
                    "`:accumulate` under `:not` or in a sequence counts in ways that are hard to \
                     predict",
                ));
            }
            PositionItem::Accumulate(name) | PositionItem::SumRange(name, _)
                if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') =>
            {
                let message = "the name of a sum has letters, digits and `_` only";
                self.error(Code::MalformedCql3Name, span, message);
            }
            PositionItem::Designator(_)
            | PositionItem::Condition(_)
            | PositionItem::Flag(_)
            | PositionItem::PieceCount(..)
            | PositionItem::Power { .. }
            | PositionItem::AttackCount { .. }
            | PositionItem::Ray { .. }
            | PositionItem::Move(..)
            | PositionItem::Number(..)
            | PositionItem::Logic { .. }
            | PositionItem::Sequence { .. }
            | PositionItem::MatchCount { .. }
            | PositionItem::Accumulate(_)
            | PositionItem::SumRange(..) => {}
        }
    }

    /// Warns of each `:sumrange` in a top-level list whose sum the list does not accumulate.
    fn sums(&mut self, top: &PositionList) {
        let mut sums: Vec<&str> = Vec::new();
        top.visit(&mut |item, _| {
            if let PositionItem::Accumulate(name) = item {
                sums.push(name);
            }
        });
        let mut unknown = Vec::new();
        top.visit(&mut |item, span| {
            if let PositionItem::SumRange(name, _) = item
                && !sums.contains(&name.as_str())
            {
                let near = nearest_of(name, sums.iter().copied());
                unknown.push((name.clone(), near.map(str::to_owned), span));
            }
        });
        for (name, near, span) in unknown {
            let message = format!("the sum `{name}` is always 0: nothing in this list adds to it");
            let warning = Diagnostic::new(Code::EmptySum, span, message);
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
                self.errors.push(Diagnostic::duplicate(span, &format!("`:{name}piececount`")));
            }
        }
        for item in items {
            match item {
                RelationItem::Count { range, .. } => self.range(*range, span),
                RelationItem::Pieces { pieces, range, .. } => {
                    self.range(*range, span);
                    if matches!(pieces.pieces, Pieces::Tag(_)) {
                        self.error(Code::TagForPieces, span, "`:relation` takes no tags");
                    }
                }
                RelationItem::Pattern
                | RelationItem::Shift
                | RelationItem::Flip
                | RelationItem::Side(_)
                | RelationItem::Nodes(_) => {}
            }
        }
    }

    fn tag(&mut self, tag: &str, span: Span) {
        if !self.tags.iter().any(|known| known == tag) {
            self.errors.push(
                Diagnostic::new(Code::UnknownTag, span, format!("the tag `{tag}` is not declared"))
                    .with_help(format!("declare it in the match list: `:forany {tag} U`")),
            );
        }
    }

    fn range(&mut self, range: ValueRange, span: Span) {
        if range.lo > range.hi {
            self.warnings.push(
                Diagnostic::new(Code::EmptyCql3Range, span, "nothing lies in this range")
                    .with_help("the first number of a range is the least"),
            );
        }
    }
}

/// The keyword of a [`PositionItem::MatchCount`].
fn match_count(pre_transform: bool) -> &'static str {
    if pre_transform { ":pretransformmatchcount" } else { ":matchcount" }
}
