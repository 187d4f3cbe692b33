//! Functions that are never called.

use crate::diagnostic::Code;
use crate::{Dialect, analyze};

#[test]
fn errors_in_an_uncalled_body_are_no_errors() {
    for body in ["", "A,A", "A ← k -> A", "a-h6-8ancestor", "A + 1"] {
        let uncalled = format!("cql() function f() {{ {body} }} K");
        let warnings = analyze(&uncalled, Dialect::CQLI).expect(body).warnings;
        assert_eq!(warnings.len(), 1, "{body}");
        assert_eq!(warnings[0].code, Code::UncalledFunctionError, "{body}");
        assert!(analyze(&uncalled, Dialect::CQL6).expect(body).warnings.is_empty(), "{body}");
        assert!(analyze(&format!("{uncalled} f()"), Dialect::CQL6).is_err(), "{body}");
    }
    // Errors elsewhere remain errors.
    assert!(analyze("function f(x x) { x } K", Dialect::CQLI).is_err());
    assert!(analyze("f = 1 function f() { K } K", Dialect::CQL6).is_err());
    assert!(analyze("function f() { K } f = 1", Dialect::CQL6).is_err());
    assert!(analyze("function f(x) { } K", Dialect::CQL6).is_err());
    assert!(analyze("cql() function f() { } K + 1", Dialect::CQL6).is_err());
    assert!(analyze("function f(x) { x } function g() { f(K) } K", Dialect::CQLI).is_ok());
    // Its only caller declares the name.
    for query in [
        "function f(x) { x > limit } function g() { limit = 3 f(2) } mate",
        "function f(x) { x attacks s } function g() { square s in A { f(K) } } mate",
    ] {
        assert_eq!(analyze(query, Dialect::CQLI).expect(query).warnings, [], "{query}");
    }
    let unknown = "function f(x) { x > limmit } function g() { limit = 3 f(2) } mate";
    assert_eq!(analyze(unknown, Dialect::CQLI).expect(unknown).warnings.len(), 1);
}
