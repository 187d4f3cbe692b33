//! The list of columns in `docs/src/command-line.md` is generated from the schema; `BABSON_BLESS=1`
//! rewrites it.

use std::fmt::Write;
use std::path::Path;

use babson_engine::{COLUMN_FORMS, COLUMNS, ColumnInfo, GROUP_KEYS};

fn columns() -> String {
    let mut out = "| column | type | its cells |\n| --- | --- | --- |\n".to_owned();
    for info in &COLUMNS {
        let ColumnInfo { name, column_type, nullable, help, aliases, .. } = info;
        let null = if *nullable { " or null" } else { "" };
        let _ = write!(out, "| `{name}` | {}{null} | {help}", column_type.name());
        let aliases: Vec<String> = aliases.iter().map(|alias| format!("`{alias}`")).collect();
        if !aliases.is_empty() {
            let _ = write!(out, "; also {}", aliases.join(", "));
        }
        out.push_str(" |\n");
    }
    for form in COLUMN_FORMS {
        let _ = writeln!(
            out,
            "| `{}` | {} or null | {} |",
            form.name,
            form.column_type.name(),
            form.help
        );
    }
    for key in GROUP_KEYS {
        let help = key.help;
        let _ = writeln!(
            out,
            "| `{}` in `--group` | {} or null | {help} |",
            key.name,
            key.column_type.name()
        );
    }
    out
}

#[test]
fn the_book_has_the_columns() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join("docs/src/command-line.md");
    let (begin, end) = ("<!-- list of columns -->\n", "<!-- end of list of columns -->");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (head, rest) = page.split_once(begin).expect("a place for the list");
    let (held, tail) = rest.split_once(end).expect("the end of that place");
    let expected = format!("\n{}\n", columns());
    if held != expected && std::env::var_os("BABSON_BLESS").is_some() {
        std::fs::write(&path, format!("{head}{begin}{expected}{end}{tail}")).expect("the page");
        return;
    }
    assert_eq!(held, expected, "run with BABSON_BLESS=1");
}
