use std::collections::HashSet;

use super::{Code, Diagnostic, Severity};

#[test]
fn codes_are_unique_and_in_order() {
    let key = |code: &Code| {
        let text = code.as_str();
        (text[1..3].to_owned(), text.starts_with('W'), text[3..].to_owned())
    };
    assert!(Code::ALL.is_sorted_by(|a, b| key(a) < key(b)));
    let titles: HashSet<&str> = Code::ALL.iter().map(|code| code.title()).collect();
    assert_eq!(titles.len(), Code::ALL.len());
    for &code in Code::ALL {
        assert_eq!(code.as_str().len(), 5, "{code}");
        assert_eq!(code.as_str().to_lowercase().parse(), Ok(code));
        assert!(code.entry().explanation.ends_with('.'), "{code}");
        let named = format!("{code:?}");
        assert!(named.len() <= 25, "{named}");
    }
}

#[test]
fn json_has_severity_and_code() {
    let warning = Diagnostic::new(Code::ConstantFilter, super::Span::default(), "x");
    assert_eq!(warning.severity(), Severity::Warning);
    let json = serde_json::to_string(&warning).unwrap();
    assert!(json.starts_with(r#"{"severity":"warning","code":"W0301","message":"x""#), "{json}");
    assert_eq!(serde_json::from_str::<Diagnostic>(&json).unwrap(), warning);
    assert!(serde_json::from_str::<Diagnostic>(&json.replace("W0301", "W0399")).is_err());
}

#[test]
fn near_codes_share_digits() {
    assert!(Code::near("E0299").contains(&Code::UnknownName));
    assert!(!Code::near("E0299").contains(&Code::EmptyPath));
    assert!(Code::near("E9").is_empty());
    assert!(Code::near("mate").is_empty());
}
