//! The tokens of a query with what they mean, for editors that color them.

use babson_lang::Span;
use babson_lang::text::TokenClass;

use crate::analysis::Analysis;
use crate::answer::{MeaningToken, TokenMeaning};
use crate::cql3;
use crate::name_index::{BindingKind, Role};
use crate::options::Options;
use crate::source::Source;

/// The tokens in the order of the text, comments included. Names have their meanings: a variable,
/// a parameter, a function, a dictionary. A text with errors has its tokens, too.
///
/// ```
/// use babson_ide::{Options, TokenMeaning, tokens};
///
/// let text = "function f(arg) { arg > 1 } f(3)";
/// let found = tokens(text, &Options::default());
/// assert_eq!(found[3].span.text(text), "arg");
/// assert_eq!((found[3].meaning, found[3].is_declaration), (TokenMeaning::Parameter, true));
/// ```
pub fn tokens(text: &str, options: &Options) -> Vec<MeaningToken> {
    let Some(source) = Source::new(text, options) else { return Vec::new() };
    if source.is_cql3 {
        return cql3::meaning_tokens(&source);
    }
    let plain = |span: Span, class: TokenClass| MeaningToken {
        span,
        meaning: TokenMeaning::of_class(class),
        is_declaration: false,
        is_write: false,
    };
    let comments = source.comments.iter().map(|&span| plain(span, TokenClass::Comment));
    let words = source.tokens.iter().map(|token| plain(token.span, token.class));
    let mut all: Vec<MeaningToken> = words.chain(comments).collect();
    all.sort_by_key(|token| token.span.start);
    let Some(analysis) = Analysis::of(source, options) else { return all };
    for one in analysis.names.occurrences.iter().filter(|one| analysis.is_own(one.place)) {
        // The name in `[Aa]x` is a part of its token.
        let after = all.partition_point(|token| token.span.start <= one.place.start);
        let Some(token) = after.checked_sub(1).map(|at| &mut all[at]) else { continue };
        if token.span.end != one.place.end {
            continue;
        }
        let binding = &analysis.names.bindings[one.binding];
        token.meaning = match binding.kind {
            BindingKind::Variable | BindingKind::Loop => TokenMeaning::Variable,
            BindingKind::Parameter => TokenMeaning::Parameter,
            BindingKind::Function => TokenMeaning::Function,
            BindingKind::Dictionary => TokenMeaning::Dictionary,
        };
        token.is_declaration = one.role == Role::Declaration;
        token.is_write = one.role != Role::Read;
    }
    all
}
