//! `similarposition` (docs/src/language/similarposition.md#similarposition), and the FEN of
//! `--like` (docs/src/command-line.md#positions-like-a-fen).

use babson_chess::FenError;

use super::{ExprResult, Sema};
use crate::ast::Filter;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Expr, ExprKind, Like, Property, SimilarPositionFile, SortKey, Type};
use crate::keywords::Keyword;

/// The name of the sort key by the numbers of the file's games.
const SORT: &str = "submission game";

/// The name of the sort key of `--like`.
const LIKE: &str = "like";

impl Sema<'_> {
    /// The sort by the similarity to the position of a FEN, with the first key of the query, which
    /// has no key yet.
    pub(super) fn like(&mut self, place: Span, text: &str) -> Option<Expr> {
        let position = match place.text(text).parse() {
            Ok(position) => position,
            Err(FenError { kind, offset }) => {
                let offset = u32::try_from(offset).unwrap_or(u32::MAX);
                let start = place.start.saturating_add(offset).min(place.end);
                self.error(Code::MalformedFen, Span::new(start, place.end), kind.to_string());
                return None;
            }
        };
        let key = SortKey { name: LIKE.to_owned(), ty: Type::Number, min: false, quiet: false };
        let key = self.sort_key(key);
        self.query.like = Some(Like { position, key });
        let value = Box::new(self.node(ExprKind::Likeness, place));
        Some(self.node(ExprKind::Sort { key, value }, place))
    }

    pub(super) fn similar_position(&mut self, filter: &Filter, span: Span) -> ExprResult {
        let no_transform = filter.has(Keyword::NoTransform);
        let file = self.text_of(filter, span)?;
        if !file.value.to_ascii_lowercase().ends_with(".pgn") {
            let message = "`similarposition` compares with a file named `.pgn`";
            return Err(self.error(Code::WrongExtension, file.span, message));
        }
        let known = self.query.similar.get_or_insert_with(|| SimilarPositionFile {
            file: file.value.clone(),
            no_transform,
            span: file.span,
        });
        if known.file != file.value || known.no_transform != no_transform {
            let message = "all `similarposition` filters of a query have the same file and maps";
            let help = format!("the first one compares with \"{}\"", known.file);
            let error = Diagnostic::new(Code::DifferentSimilarPositions, span, message);
            return Err(self.report(error.with_help(help)));
        }
        let found = self.node(ExprKind::SimilarPosition, span);
        if filter.has(Keyword::NoSort) {
            return Ok(found);
        }
        let key = SortKey { name: SORT.to_owned(), ty: Type::Number, min: true, quiet: false };
        if self.conflicts(&key) {
            let message = format!("a `sort` of another kind has the name \"{SORT}\"");
            return Err(self.error(Code::ConflictingSort, span, message));
        }
        let key = self.sort_key(key);
        let value = self.property(Property::SubmissionGame, span);
        let kind = ExprKind::Sort { key, value: Box::new(value) };
        let sort = self.node(kind, span);
        Ok(self.logic(false, found, sort))
    }
}
