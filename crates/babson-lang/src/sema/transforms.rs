//! Transforms and ranges (docs/src/language/reading.md#ranges).

use super::scope::Binding;
use super::{ErrorReported, OpenResult, Sema};
use crate::ast::{self, Filter, RangeBoundKind, levels};
use crate::choice::ChoiceKind;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::transform::{Transform, TransformError, orbit, size};
use crate::hir::{Bound, ExprKind, NumberRange, Type};
use crate::keywords::Keyword;

/// The transforms by their keywords. The only other keyword of this class is `notransform`.
const TRANSFORMS: [(Keyword, Transform); 10] = [
    (Keyword::Flip, Transform::Flip),
    (Keyword::FlipColor, Transform::FlipColor),
    (Keyword::FlipHorizontal, Transform::FlipHorizontal),
    (Keyword::FlipVertical, Transform::FlipVertical),
    (Keyword::ReverseColor, Transform::ReverseColor),
    (Keyword::Rotate45, Transform::Rotate45),
    (Keyword::Rotate90, Transform::Rotate90),
    (Keyword::Shift, Transform::Shift),
    (Keyword::ShiftHorizontal, Transform::ShiftHorizontal),
    (Keyword::ShiftVertical, Transform::ShiftVertical),
];

impl<'a> Sema<'a> {
    pub(super) fn transform(&mut self, filter: &'a Filter, span: Span) -> OpenResult<'a> {
        let range = self.range(filter.range())?;
        let arg = self.operand(filter, span)?;
        let (arg, pending) = self.open_at(arg, levels::FILTER)?;
        let Some(transform) = filter.keyword.find_in(&TRANSFORMS) else {
            return Ok((self.node(ExprKind::NoTransform(Box::new(arg)), span), pending));
        };
        if arg.any(&|e| matches!(e.kind, ExprKind::SimilarPosition)) {
            let message = "`similarposition` has maps of its own and cannot be transformed";
            return Err(self.error(Code::UntransformableFilter, span, message));
        }
        match orbit(transform, range, arg, span, &mut self.steps.copied) {
            Ok(copies) => {
                self.nodes += size(&copies);
                Ok((copies, pending))
            }
            Err(error) => {
                let report = match error {
                    TransformError::Rotate45OnSquares(span) => {
                        Diagnostic::new(Code::UntransformableFilter, span, error.to_string())
                    }
                    TransformError::TooLarge(span) => {
                        self.overflow = true;
                        let help = "those of nested transforms multiply: `shift` has 225, `flip` 8";
                        Diagnostic::too_many_copies(span).with_help(help)
                    }
                };
                Err(self.report(report))
            }
        }
    }

    /// An optional range. A name that is not a numeric variable is an operand in the other reading.
    pub(super) fn range(
        &mut self,
        range: Option<&ast::RangeParam>,
    ) -> Result<Option<NumberRange>, ErrorReported> {
        Ok(match range {
            None => None,
            Some(ast::RangeParam::Count(_)) => Some(NumberRange::COUNT),
            Some(ast::RangeParam::Bounds { lo, hi }) => {
                let min = self.bound(lo)?;
                let max = match hi {
                    Some(hi) => self.bound(hi)?,
                    None => min,
                };
                Some(NumberRange { min, max })
            }
        })
    }

    fn bound(&mut self, bound: &ast::RangeBound) -> Result<Bound, ErrorReported> {
        let name = match &bound.kind {
            RangeBoundKind::Int(n) => return Ok(Bound::Const(*n)),
            RangeBoundKind::Name(name) => name,
        };
        match self.lookup(name) {
            Some(Binding::Var(var)) if self.type_of(var) == Type::Number => {
                self.note_use(name);
                Ok(Bound::Var(var))
            }
            Some(Binding::Poisoned) => Err(ErrorReported),
            known => {
                let error = if known.is_some() {
                    let message = format!("`{name}` is not a numeric variable");
                    Diagnostic::new(Code::NotANumericVariable, bound.span, message)
                } else {
                    Diagnostic::unknown_name(bound.span, name)
                };
                Err(self.reject(ChoiceKind::Bound.at(bound.span), error))
            }
        }
    }
}
