//! The levels of the operands of filters that are not operators: an operand takes the operators of
//! its level and of all higher levels (docs/src/language/reading.md#prefix-filters).
//!
//! [`BinaryOp::level`] has the levels of the operators.

use super::{Arithmetic, BinaryOp, InfixOp};
use crate::keywords::OperandLevel;

/// Whole filters: an item, the branches of `if`, the body of a loop.
pub(crate) const FILTER: u8 = BinaryOp::Infix(InfixOp::Or).level();
/// `not`.
pub(crate) const NEGATED: u8 = BinaryOp::In.level();
/// `abs` and similar filters, the value of an assignment.
pub(crate) const VALUE: u8 = BinaryOp::Infix(InfixOp::Arithmetic(Arithmetic::Add)).level();
/// `#` and similar filters, the set of a loop, the filter after `move … :` and `imagine … :`.
pub(crate) const SET: u8 = BinaryOp::Dash.level();
/// The operands of a dash, and of `focus`.
pub(crate) const DASH_OPERAND: u8 = BinaryOp::Arrow(false).level();
/// `~`.
pub(crate) const COMPLEMENT: u8 = BinaryOp::Infix(InfixOp::Attacks).level();
/// The number of `position`.
pub(crate) const INDEXED: u8 = BinaryOp::Index.level();
/// Directions, `light`, unary `-`.
pub(crate) const TIGHT: u8 = BinaryOp::With.level();

/// The level of the operand of a prefix filter.
pub(crate) const fn of_operand(operand: OperandLevel) -> u8 {
    match operand {
        OperandLevel::One => FILTER,
        OperandLevel::Five => VALUE,
        OperandLevel::Seven => SET,
        OperandLevel::Tight => TIGHT,
    }
}

#[cfg(test)]
mod tests {
    use babson_book::LANGUAGE;

    use crate::dialect::Dialect;
    use crate::lexer::lex;

    /// The symbols of the book's table of operators have the levels of its rows.
    #[test]
    fn the_levels_are_those_of_the_book() {
        let path = "docs/src/language/reading.md";
        let page = LANGUAGE.iter().find(|page| page.path == path).unwrap();
        let table =
            page.text.split("## Operators").nth(1).unwrap().split("## Prefix").next().unwrap();
        let mut symbols = 0;
        for row in table.lines().filter(|row| row.starts_with("| ")) {
            let mut cells = row.split(" | ").map(|cell| cell.trim_matches(['|', ' ']));
            let Some(Ok(level)) = cells.next().map(str::parse::<u8>) else { continue };
            for spelling in cells.next().unwrap().split('`').map(|one| one.replace('\\', "")) {
                let Ok(lexemes) = lex(&spelling, Dialect::CQLI) else { continue };
                if let [lexeme] = &lexemes[..]
                    && let Some(op) = lexeme.kind.operator()
                {
                    assert_eq!(op.level(), level, "{spelling}");
                    symbols += 1;
                }
            }
        }
        assert_eq!(symbols, 20, "all symbols between two operands but the dash and the colon");
    }
}
