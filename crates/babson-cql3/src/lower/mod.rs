//! Lowers the tree of a CQL 3 query to the HIR.

mod item;
mod nodes;
mod strict;

use babson_lang::Steps;
use babson_lang::diagnostic::{Diagnostic, Span};
use babson_lang::hir::{
    BinaryFilter, BuiltInTag, Color, Condition, Expr, ExprKind, FileName, GameList, GameLists,
    Header, MarkMode, NodeSelection, OrbitResult, PieceTag, Property, Query, Type, UnaryFilter,
    Var, VarId,
};
use nodes::{ALL_NUMBERS, and, binary, bool, condition, not, or, pieces, property, unary, within};

use crate::limits::MAX_NODES;
use crate::transform;
use crate::tree::{
    Cql3Designator, MatchItem, MatchList, Pieces, PositionFlag, PositionItem, PositionList,
};

/// The HIR of the query.
pub(super) fn lower(tree: &MatchList, steps: &mut Steps) -> Result<Query, Vec<Diagnostic>> {
    let mut lowering = Lowering { steps: *steps, ..Lowering::default() };
    let query = lowering.query(tree);
    *steps = lowering.steps;
    query
}

/// The state that the lists share.
#[derive(Default)]
struct Lowering {
    vars: Vec<Var>,
    tags: Vec<(String, VarId)>,
    /// Whether the top-level list visits the main line only.
    main_line: bool,
    /// The sums of the top-level list.
    sums: Vec<(String, VarId)>,
    /// The nodes of the HIR so far.
    nodes: usize,
    steps: Steps,
}

impl Lowering {
    fn query(&mut self, tree: &MatchList) -> Result<Query, Vec<Diagnostic>> {
        let mut header = Header::default();
        header.match_string = Some("MATCH".to_owned());
        let mut body = Vec::new();
        let mut pieces = Vec::new();
        for (item, span) in &tree.items {
            match item {
                MatchItem::Pgn(file) => header.input = Some(file_name(file, *span)),
                MatchItem::Output(file) => header.output = Some(file_name(file, *span)),
                MatchItem::GameNumber(range) => header.game_number = Some((range.lo, range.hi)),
                MatchItem::Result(result) => {
                    body.push(condition(Condition::Result(*result), *span));
                }
                MatchItem::Year(range) => {
                    body.push(within(property(Property::Year, *span), *range, ALL_NUMBERS));
                }
                MatchItem::Player(name) => body.push(player(name, *span)),
                MatchItem::ForAny { tag, pieces: what } => {
                    let var = self.var(tag, Type::Piece);
                    self.tags.push((tag.clone(), var));
                    if let Pieces::Kinds(content) = what.pieces {
                        pieces.push(PieceTag { var, content });
                    }
                }
                MatchItem::Position(_) => {}
            }
        }
        header.variations = tree.visits_variations();
        let lists: Result<Vec<GameList>, Diagnostic> =
            tree.lists().map(|list| self.game_list(list)).collect();
        let lists = lists.map_err(|error| vec![error])?;
        let tags_in_variations = lists.iter().any(|list| list.nodes != NodeSelection::MainLine);
        body.push(condition(Condition::Initial, tree.span));
        let lists = GameLists { tags: pieces, tags_in_variations, lists };
        body.push(Expr::new(ExprKind::GameLists(Box::new(lists)), tree.span));
        let mut query =
            Query { header, body, vars: std::mem::take(&mut self.vars), ..Query::default() };
        query.number();
        Ok(query)
    }

    fn var(&mut self, name: &str, ty: Type) -> VarId {
        self.vars.push(Var { name: name.to_owned(), ty, persistent: None, atomic: false });
        VarId(self.vars.len() as u32 - 1)
    }

    fn game_list(&mut self, list: &PositionList) -> Result<GameList, Diagnostic> {
        let nodes = list.nodes();
        self.main_line = nodes == NodeSelection::MainLine;
        let mark = if list.has(PositionFlag::NoAnnotate) {
            MarkMode::None
        } else if list.has(PositionFlag::MarkAll) {
            MarkMode::All
        } else {
            MarkMode::First
        };
        let (count, pre_count) = list.match_counts();
        let strict = strict::has_sums(list);
        let lower_list = |this: &mut Self, list: &PositionList| {
            if strict { this.strict_list(list) } else { this.list(list) }
        };
        let body = lower_list(self, list)?;
        let counted = match pre_count {
            None => None,
            Some(range) => {
                let images = self.images(list)?;
                let bodies = images.iter().map(|image| lower_list(self, image));
                Some((bodies.collect::<Result<_, _>>()?, (range.lo, range.hi)))
            }
        };
        let count = count.map(|range| (range.lo, range.hi));
        Ok(GameList { nodes, mark, count, body, counted })
    }

    /// The images of a list under its transforms.
    fn images(&mut self, list: &PositionList) -> Result<Vec<PositionList>, Diagnostic> {
        transform::images(list, &mut self.steps.copied).ok_or_else(|| too_many_copies(list.span))
    }

    /// A list without sums. Evaluation may stop as soon as the result is known.
    fn list(&mut self, list: &PositionList) -> Result<Expr, Diagnostic> {
        let any = self.any_image(list, &[])?;
        Ok(if list.has(PositionFlag::Not) { not(any) } else { any })
    }

    /// Lists without sums.
    fn lists(&mut self, lists: &[PositionList]) -> Result<Vec<Expr>, Diagnostic> {
        lists.iter().map(|list| self.list(list)).collect()
    }

    /// Matches if an image of the list matches. `effects` follow each matching image, and all
    /// images are evaluated, so each of them has its effects.
    fn any_image(&mut self, list: &PositionList, effects: &[Expr]) -> Result<Expr, Diagnostic> {
        let images = self.images(list)?;
        Ok(match images.as_slice() {
            [image] => self.image(image, |_| true, effects)?,
            [first, others @ ..] => {
                // Items that are the same in all images are tested once.
                let shared: Vec<bool> = (0..first.items.len())
                    .map(|at| {
                        let item = &first.items[at];
                        // A `:relation` may depend on the squares of the other items.
                        !matches!(item, PositionItem::Relation(_))
                            && others.iter().all(|other| other.items[at] == *item)
                    })
                    .collect();
                let elements = images
                    .iter()
                    .map(|image| self.image(image, |at| !shared[at], effects))
                    .collect::<Result<_, _>>()?;
                let orbit = ExprKind::Orbit {
                    elements,
                    result: OrbitResult::Any,
                    source: Default::default(),
                };
                let orbit = Expr::new(orbit, list.span);
                if shared.contains(&true) {
                    and(self.image(first, |at| shared[at], &[])?, orbit)
                } else {
                    orbit
                }
            }
            [] => bool(true, list.span),
        })
    }

    /// The conjunction of the chosen items of a list without transforms, and then the effects.
    fn image(
        &mut self,
        list: &PositionList,
        chosen: impl Fn(usize) -> bool,
        effects: &[Expr],
    ) -> Result<Expr, Diagnostic> {
        self.nodes += list.items.len() + effects.len() + 1;
        if self.nodes > MAX_NODES {
            return Err(too_many_copies(list.span));
        }
        let mut filters = Vec::new();
        let pattern = pattern(list);
        for (at, (item, span)) in list.spanned().enumerate() {
            if chosen(at) {
                filters.extend(self.item(item, pattern, span)?);
            }
        }
        // The order of items has no meaning, so the expensive ones, which look at many positions,
        // come last.
        filters.sort_by_key(|filter| filter.any(&is_search));
        filters.extend_from_slice(effects);
        Ok(Expr::new(ExprKind::Sequence(filters), list.span))
    }
}

/// The error of transforms beyond [`MAX_COPIED`](babson_lang::limits::MAX_COPIED).
pub(super) fn too_many_copies(span: Span) -> Diagnostic {
    Diagnostic::too_many_copies(span)
        .with_help("those of nested lists multiply: `:shift` has 225, `:flip` 8")
}

fn is_search(filter: &Expr) -> bool {
    matches!(filter.kind, ExprKind::PositionSequence(_) | ExprKind::Recurrence(_))
}

/// The squares of the designators that are items of the list: the pattern of `:relation`.
fn pattern(list: &PositionList) -> u64 {
    let squares = |item: &PositionItem| {
        if let PositionItem::Designator(designator) = item { designator.squares } else { 0 }
    };
    list.items.iter().fold(0, |all, item| all | squares(item))
}

fn file_name(name: &str, span: Span) -> FileName {
    FileName::new(name, true, span)
}

/// `:player`: the text occurs in the name of White or Black. Case is ignored.
fn player(name: &str, span: Span) -> Expr {
    let is_in = |name: &[u8], side| {
        let player = property(Property::Tag(BuiltInTag::Player(Some(side))), span);
        let name = Expr::new(ExprKind::Text(name.into()), span);
        binary(BinaryFilter::Substring, name, unary(UnaryFilter::Lowercase, player), span)
    };
    let mut tests = spellings(name).into_iter().map(|name| {
        let (white, black) = (is_in(&name, Color::White), is_in(&name, Color::Black));
        or(white, black)
    });
    let first = tests.next();
    let first = first.unwrap_or_else(|| bool(false, span));
    tests.fold(first, or)
}

/// The byte strings to search for in a tag whose ASCII letters are in lowercase. The tag may be
/// UTF-8 or Latin-1, and its other letters, such as `Ö`, keep their case: all lowercase, all
/// uppercase, or uppercase at the beginning of each word.
fn spellings(name: &str) -> Vec<Vec<u8>> {
    let lower = name.to_lowercase();
    let mut spellings = vec![lower.clone().into_bytes()];
    if name.is_ascii() {
        return spellings;
    }
    let mut begins = true;
    let mut title = String::new();
    for letter in lower.chars() {
        if begins {
            title.extend(letter.to_uppercase());
        } else {
            title.push(letter);
        }
        begins = !letter.is_alphanumeric();
    }
    for mut text in [lower, title, name.to_uppercase()] {
        text.make_ascii_lowercase();
        let latin: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(c).ok()).collect();
        for bytes in latin.into_iter().chain([text.into_bytes()]) {
            if !spellings.contains(&bytes) {
                spellings.push(bytes);
            }
        }
    }
    spellings
}

impl Lowering {
    /// The squares where the designator's pieces stand.
    fn designator(&self, designator: &Cql3Designator, span: Span) -> Expr {
        match &designator.pieces {
            Pieces::Kinds(content) => pieces(designator.squares, *content, span),
            Pieces::Tag(tag) => {
                let known = self.tags.iter().find(|(name, _)| name == tag);
                let Some(&(_, var)) = known else {
                    return Expr::new(ExprKind::Squares(0), span);
                };
                let piece = Expr::declared(ExprKind::Var(var), Type::Piece, span);
                let square = unary(UnaryFilter::PieceSquare, piece);
                if designator.squares == !0 {
                    return square;
                }
                let squares = Expr::new(ExprKind::Squares(designator.squares), span);
                binary(BinaryFilter::Intersection, square, squares, span)
            }
        }
    }
}
