//! The filters that reach beyond the games.

use super::{Expr, Query};
use crate::diagnostic::Span;

/// A filter that opens a file or starts a program: [`Query::outside_access`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutsideAccess {
    /// Its name.
    pub filter: &'static str,
    /// Where it stands in the query.
    pub span: Span,
}

impl Query {
    /// The filters that open a file or start a program, each place once. The files that the
    /// [header](super::Header) names are not among them. A caller that runs queries of strangers
    /// refuses these queries, or hands in a host that refuses.
    ///
    /// ```
    /// use babson_lang::{Dialect, analyze};
    ///
    /// let text = "flip {K == a1 writefile(\"a.cqo\" \"here\")} similarposition \"b.pgn\"";
    /// let query = analyze(text, Dialect::CQLI).unwrap().query;
    /// let filters: Vec<_> = query.outside_access().iter().map(|access| access.filter).collect();
    /// assert_eq!(filters, ["writefile", "similarposition"]);
    /// ```
    pub fn outside_access(&self) -> Vec<OutsideAccess> {
        fn search(expr: &Expr, all: &mut Vec<OutsideAccess>) {
            if let Some(filter) = expr.kind.traits().outside {
                let access = OutsideAccess { filter, span: expr.span };
                // The copies of a transform and the calls of a function repeat the same place.
                if !all.contains(&access) {
                    all.push(access);
                }
            }
            expr.for_each_operand(&mut |operand| search(operand, all));
        }
        let mut all = Vec::new();
        for expr in self.begin.iter().chain(&self.body).chain(&self.end) {
            search(expr, &mut all);
        }
        // The file of `similarposition` is read when the query is compiled, even if the filter is
        // in no expression.
        let filter = "similarposition";
        if let Some(similar) = &self.similar
            && all.iter().all(|access| access.filter != filter)
        {
            all.push(OutsideAccess { filter, span: similar.span });
        }
        all
    }
}
