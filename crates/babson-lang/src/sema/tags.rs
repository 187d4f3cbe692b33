//! Tags, comments of the input, `fen` and search strings
//! (docs/src/language/tags.md#tags-and-game-information).

use super::designators::fen_pattern;
use super::filters::side;
use super::{ErrorReported, ExprResult, Sema};
use crate::ast::{Filter, GameResult, Param, StringLiteral};
use crate::diagnostic::{Code, Diagnostic, Fix, Help, Remedy, Span};
use crate::dialect::DialectSwitch;
use crate::hir::{
    BinaryFilter, BuiltInTag, Color, Condition, Expr, ExprKind, FenPattern, Property, UnaryFilter,
};
use crate::keywords::Keyword;
use crate::limits::MAX_TAG_NAME;
use crate::literals::nag_number;

/// Tags with a filter of their own. In CQL 6.2 `settag` cannot change them.
const BUILT_IN: [&str; 8] = ["White", "Black", "Event", "EventDate", "Site", "Date", "ECO", "FEN"];

/// The filters that a search string can follow.
const SEARCHED_TEXTS: [(Keyword, Property); 8] = [
    (Keyword::Event, Property::Tag(BuiltInTag::Event)),
    (Keyword::Site, Property::Tag(BuiltInTag::Site)),
    (Keyword::Date, Property::Tag(BuiltInTag::Date)),
    (Keyword::EventDate, Property::Tag(BuiltInTag::EventDate)),
    (Keyword::Eco, Property::Tag(BuiltInTag::Eco)),
    (Keyword::OriginalComment, Property::OriginalComment),
    (Keyword::Variant, Property::Variant),
    (Keyword::Fen, Property::Fen),
];

/// Whether the author probably meant a regular expression.
fn looks_like_pattern(text: &str) -> bool {
    let brackets = text.find('[').is_some_and(|open| text[open..].contains(']'));
    brackets || text.chars().skip(1).any(|c| matches!(c, '*' | '+' | '?'))
}

impl Sema<'_> {
    pub(super) fn bare_result(&mut self, result: GameResult, span: Span) -> ExprResult {
        if !self.dialect.bare_results {
            let error = Diagnostic::new(Code::NotAFilter, span, "a result alone is not a filter");
            return Err(self.report(
                error.with_help(
                    Help::from(
                        "write `result` before it; for arithmetic put spaces around the `-`",
                    )
                    .with(Fix::replace(Span::new(span.start, span.start), "result ")),
                ),
            ));
        }
        self.differences.add(DialectSwitch::BareResults, span);
        Ok(self.condition(Condition::Result(result), span))
    }

    /// `event`, `player white`, `originalcomment "!"`, `fen "…"` and similar filters.
    pub(super) fn tag_filter(&mut self, filter: &Filter, span: Span) -> ExprResult {
        let (keyword, search) = (filter.keyword, filter.text());
        let side = filter.params.first().and_then(Param::word).and_then(side);
        if keyword == Keyword::Elo {
            return Ok(self.property(Property::Elo(side), span));
        }
        if let (Keyword::Variant, Some(name)) = (keyword, search) {
            return self.is_variant(name, span);
        }
        if let (Keyword::Fen, Some(pattern)) = (keyword, search) {
            return self.fen_filter(pattern, span);
        }
        let which = if keyword == Keyword::Player {
            Property::Tag(BuiltInTag::Player(side))
        } else if keyword == Keyword::Fen && self.dialect.fen_is_standard {
            self.differences.add(DialectSwitch::Fen, span);
            Property::StandardFen
        } else if let Some(which) = keyword.find_in(&SEARCHED_TEXTS) {
            which
        } else {
            return Err(self.not_a_filter(span, keyword));
        };
        let Some(search) = search else {
            return Ok(self.property(which, span));
        };
        if keyword == Keyword::OriginalComment {
            match nag_number(&search.value) {
                Some(Ok(nag)) => return Ok(self.node(ExprKind::HasNag(nag), span)),
                Some(Err(())) => {
                    return Err(self.error(
                        Code::NagOutOfRange,
                        search.span,
                        "a NAG is `$1` to `$255`",
                    ));
                }
                None => {}
            }
        }
        let tag = self.property(which, span);
        self.search(tag, search, keyword.name(), span)
    }

    /// `variant "X"`: X is a name or an alias of a variant.
    fn is_variant(&mut self, name: &StringLiteral, span: Span) -> ExprResult {
        match self.variants.find(&name.value) {
            Some(variant) => Ok(self.condition(Condition::IsVariant(variant), span)),
            None => {
                let message = format!("`{}` is not a known variant", name.value);
                let help = format!("the variants are {}", self.variants);
                let error =
                    Diagnostic::new(Code::UnknownVariant, name.span, message).with_help(help);
                Err(self.report(error.with_remedy(Remedy::VariantAliases)))
            }
        }
    }

    /// A search string after a filter: it matches if the string occurs in the text.
    pub(super) fn search(
        &mut self,
        text: Expr,
        search: &StringLiteral,
        who: &str,
        span: Span,
    ) -> ExprResult {
        if looks_like_pattern(&search.value) {
            let error = Diagnostic::new(
                Code::PatternAsText,
                search.span,
                "a search string is plain text, this looks like a regular expression",
            );
            return Err(self.report(error.with_help(format!("write `{who} ~~ \"…\"`"))));
        }
        let wanted = self.text(&search.value, search.span);
        Ok(self.binary(BinaryFilter::Substring, wanted, text, span))
    }

    fn fen_filter(&mut self, pattern: &StringLiteral, span: Span) -> ExprResult {
        match fen_pattern(&pattern.value) {
            Ok(designators) => {
                let placement = pattern.value.split_ascii_whitespace().next().unwrap_or("");
                let has_digit = placement.bytes().any(|letter| letter.is_ascii_digit());
                let shifts = self.dialect.fen_digits_shift || !has_digit;
                Ok(self.node(ExprKind::FenPattern(FenPattern { designators, shifts }), span))
            }
            Err(what) => Err(self.error(
                Code::MalformedFen,
                pattern.span,
                format!("malformed `fen`: {what}"),
            )),
        }
    }

    /// `tag "X"`, `cql_assertvariations "text"`.
    pub(super) fn keyword_text(&mut self, filter: &Filter, span: Span) -> ExprResult {
        let (keyword, text) = (filter.keyword, self.text_of(filter, span)?);
        if keyword == Keyword::CqlAssertVariations {
            self.query.requires_variations.get_or_insert(span);
        }
        // The parser has taken the functions of an imported file.
        if matches!(keyword, Keyword::CqlAssertVariations | Keyword::Import) {
            return Ok(self.bool(true, span));
        }
        if keyword != Keyword::Tag {
            return Err(self.not_a_filter(span, keyword));
        }
        // A swap of colors exchanges these two.
        let side = match text.value.as_str() {
            "White" => Some(Color::White),
            "Black" => Some(Color::Black),
            _ => None,
        };
        if side.is_some() {
            return Ok(self.property(Property::Tag(BuiltInTag::Player(side)), span));
        }
        self.check_tag_name(&text.value, false, text.span)?;
        let name = self.text(&text.value, text.span);
        Ok(self.unary(UnaryFilter::Tag, name, span))
    }

    /// The names that `tag` and `settag` accept.
    pub(super) fn check_tag_name(
        &mut self,
        name: &str,
        set: bool,
        span: Span,
    ) -> Result<(), ErrorReported> {
        let letters = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !letters
            || !name.starts_with(|c: char| c.is_ascii_alphanumeric())
            || name.len() > MAX_TAG_NAME
        {
            let error = Diagnostic::new(
                Code::MalformedName,
                span,
                format!("`{name}` cannot be the name of a tag"),
            );
            return Err(self.report(
                error.with_help("up to 60 letters, digits and `_`, not beginning with `_`"),
            ));
        }
        if self.dialect.raw_tags {
            return Ok(());
        }
        let built_in = BUILT_IN.contains(&name);
        let reserved = ["round", "result"].contains(&name.to_ascii_lowercase().as_str())
            || !built_in && (name.starts_with("White") || name.starts_with("Black"))
            || !built_in && BUILT_IN.iter().any(|known| known.eq_ignore_ascii_case(name));
        if reserved || set && built_in {
            let what = if set { "set" } else { "read" };
            return Err(self.error(
                Code::ReservedTag,
                span,
                format!("the tag `{name}` cannot be {what} by name"),
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_suspected() {
        assert!(looks_like_pattern("a[bc]"));
        assert!(looks_like_pattern("ab*"));
        assert!(!looks_like_pattern("?"));
        assert!(!looks_like_pattern("EG#12]["));
    }
}
