//! What can be seen of a filter that was evaluated in vain.

use babson_lang::hir::{Errors, Expr};

use crate::analysis::Analysis;

/// What an evaluation leaves if nothing matches in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trace {
    /// Nothing but steps.
    Nothing,
    /// Comments, which a game without a match does not show.
    Comments,
    /// State, messages or an error.
    Visible,
}

impl Trace {
    pub(crate) fn of(expr: &Expr, analysis: &Analysis) -> Trace {
        let effects = analysis.effects(expr);
        if effects.state || effects.errors == Errors::Any {
            Trace::Visible
        } else if effects.comments {
            Trace::Comments
        } else {
            Trace::Nothing
        }
    }

    /// What all of the filters leave.
    pub(crate) fn of_all<'e>(
        list: impl IntoIterator<Item = &'e Expr>,
        analysis: &Analysis,
    ) -> Trace {
        let traces = list.into_iter().map(|expr| Trace::of(expr, analysis));
        traces.fold(Trace::Nothing, Trace::max)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use babson_lang::Dialect;

    use super::*;
    use crate::analysis::Loops;

    fn trace(query: &str) -> Trace {
        let query = babson_lang::analyze(query, Dialect::CQLI).expect("a query").query;
        let analysis = Analysis::new(&query, Loops::of(&query.body), HashSet::new());
        Trace::of_all(query.body.last(), &analysis)
    }

    #[test]
    fn searches_leave_nothing_but_steps() {
        for silent in [
            "find quiet check",
            "find quiet 1 3 check",
            "line quiet --> check",
            "imagine sidetomove reverse: find quiet check",
            "not find quiet check",
            "square x in A {x attacks k}",
            "piece x in A {square y in x y attacks k}",
            "move legal: check",
        ] {
            assert_eq!(trace(silent), Trace::Nothing, "{silent}");
        }
        assert_eq!(trace("find check"), Trace::Comments);
    }

    #[test]
    fn errors_are_visible() {
        for visible in [
            "while (check) {true}",
            "loop check",
            "x=1 find quiet x 3 check",
            "if check then x=1 x>0",
            "square x in A {x attacks k} square x in A {isbound x}",
            "assert check",
            "readfile(\"a\") == \"b\"",
        ] {
            assert_eq!(trace(visible), Trace::Visible, "{visible}");
        }
    }
}
