//! Both spellings of a symbol.

use crate::ast::print;
use crate::{Dialect, parse};

#[test]
fn both_spellings_read_the_same() {
    for (ascii, symbols) in [
        ("flip R->[Aa]a1 & .|_", "✵ ♖→◭a1 ∩ ▦∪□"),
        ("path focus K K--a1", "⊢ ◎ ♔ ♔――a1"),
        ("x&=A x|=a curpos:x<=3", "x∩=△ x∪=▲ ∙:x≤3"),
        ("[forall] x [element] R x[x]k", "∀ x ∊ ♖ x×♚"),
        ("parent [<] curpos", "parent ≺ ∙"),
    ] {
        let read = |text| print::query(&parse(text, Dialect::CQLI).expect(text));
        assert_eq!(read(ascii), read(symbols));
    }
}
