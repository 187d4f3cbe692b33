//! Filters with a keyword.

use super::{Expr, Ident, Keyword, RangeParam, Span, StringLiteral};
use crate::keywords::{KeywordClass, SpecialKeyword};

/// A keyword with its parameters and arguments. Which parameters it takes is a row of
/// `parameters.rs`; type checking reports others.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// The keyword.
    pub keyword: Keyword,
    /// The parameters in the order of the text.
    pub params: Vec<Param>,
    /// The operand, or the arguments in parentheses.
    pub args: Vec<Expr>,
    /// Whether the arguments are in parentheses.
    pub list: bool,
}

/// A parameter of a filter.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// The kind, with its value.
    pub kind: ParamKind,
    /// The place.
    pub span: Span,
}

/// Kinds of parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// A word alone: `quiet`, `legal`, a direction of `ray`, the color of `player`.
    Flag(Keyword),
    /// A word with operands: `from S`, `piece D --> S`, `comment(F…)`, `focus capture S`.
    Operands(Keyword, Vec<Expr>),
    /// A range.
    Range(RangeParam),
    /// The `<--` of `find` or `line`.
    Backward,
    /// A string: a search string, the name of a file, the description of `sort`.
    Text(StringLiteral),
    /// A variable of `echo` or `consecutivemoves`, or a word after `hhdb`.
    Name(Ident),
}

impl Param {
    pub(crate) fn new(kind: ParamKind, span: Span) -> Param {
        Param { kind, span }
    }

    pub(crate) fn operands(word: Keyword, operands: Vec<Expr>, span: Span) -> Param {
        Param::new(ParamKind::Operands(word, operands), span)
    }

    pub(crate) fn text(value: &str, span: Span) -> Param {
        let text = StringLiteral { value: value.to_string(), span };
        Param::new(ParamKind::Text(text), span)
    }

    /// The word, if there is one.
    pub fn word(&self) -> Option<Keyword> {
        if let ParamKind::Flag(word) | ParamKind::Operands(word, _) = self.kind {
            Some(word)
        } else {
            None
        }
    }

    /// The operands or arguments after the word.
    pub fn values(&self) -> &[Expr] {
        if let ParamKind::Operands(_, operands) = &self.kind { operands } else { &[] }
    }
}

impl Filter {
    /// A keyword alone.
    pub fn plain(keyword: Keyword) -> Filter {
        Filter::with_params(keyword, Vec::new())
    }

    /// A keyword with parameters alone.
    pub(crate) fn with_params(keyword: Keyword, params: Vec<Param>) -> Filter {
        Filter { keyword, params, args: Vec::new(), list: false }
    }

    /// Whether the keyword stands alone.
    pub fn is_plain(&self) -> bool {
        self.params.is_empty() && self.args.is_empty()
    }

    /// The first parameter with this word.
    pub fn param(&self, word: Keyword) -> Option<&Param> {
        self.params.iter().find(|param| param.word() == Some(word))
    }

    /// Whether a parameter has this word.
    pub fn has(&self, word: Keyword) -> bool {
        self.param(word).is_some()
    }

    /// Whether `<--` is a parameter.
    pub fn is_backward(&self) -> bool {
        self.params.iter().any(|param| matches!(param.kind, ParamKind::Backward))
    }

    /// The range.
    pub fn range(&self) -> Option<&RangeParam> {
        self.params.iter().find_map(|param| {
            if let ParamKind::Range(range) = &param.kind { Some(range) } else { None }
        })
    }

    /// The string.
    pub fn text(&self) -> Option<&StringLiteral> {
        self.params.iter().find_map(|param| {
            if let ParamKind::Text(text) = &param.kind { Some(text) } else { None }
        })
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &Ident> {
        self.params.iter().filter_map(|param| {
            if let ParamKind::Name(name) = &param.kind { Some(name) } else { None }
        })
    }

    /// The operand of a prefix filter that has no parameters of its own: `power S`, `position N`.
    pub fn prefix_operand(&self) -> Option<&Expr> {
        let [operand] = &self.args[..] else {
            return None;
        };
        let is_prefix = matches!(
            self.keyword.class(),
            KeywordClass::Prefix(_)
                | KeywordClass::List
                | KeywordClass::Special(SpecialKeyword::Position)
        );
        (is_prefix && !self.list).then_some(operand)
    }
}
