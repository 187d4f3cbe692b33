//! The tables of `docs/src/tables.md` are generated from the schema; `BABSON_BLESS=1` rewrites
//! them.

#![allow(clippy::disallowed_methods, reason = "tests read the book")]

use std::fmt::Write;
use std::path::Path;

use babson_table::schema::{COLUMNS, ColumnInfo, FLAGS, MATCH_COLUMNS};

const HEAD: &str = "| column | type | what it holds |\n| --- | --- | --- |\n";

/// The columns, those that differ only in the piece in one row.
fn columns(columns: &[ColumnInfo]) -> String {
    let mut out = HEAD.to_owned();
    for alike in columns.chunk_by(|one, two| one.meaning == two.meaning) {
        let names = match alike {
            [first, .., last] => format!("`{}` … `{}`", first.name, last.name),
            alike => alike.iter().map(|one| format!("`{}`", one.name)).collect(),
        };
        let ColumnInfo { column_type, meaning, .. } = alike[0];
        let _ = writeln!(out, "| {names} | {} | {meaning} |", column_type.name());
    }
    out
}

fn match_columns() -> String {
    let sort = "the value of the `sort` of this name; null if it was never bound";
    format!("{}| `sort_NAME` | i32 or text | {sort} |\n", columns(&MATCH_COLUMNS))
}

fn flags() -> String {
    let mut out = "| bit | name | set if |\n| --- | --- | --- |\n".to_owned();
    for info in FLAGS {
        let bit = info.flag.0.trailing_zeros();
        let _ = writeln!(out, "| {bit} | `{}` | {} |", info.name, info.meaning);
    }
    out
}

#[test]
fn the_book_has_the_tables() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../");
    let path = root.join("docs/src/tables.md");
    let bless = std::env::var_os("BABSON_BLESS").is_some();
    for (what, generated) in
        [("columns", columns(&COLUMNS)), ("match columns", match_columns()), ("flags", flags())]
    {
        let (begin, end) = (format!("<!-- {what} -->\n"), format!("<!-- end of {what} -->"));
        let page = std::fs::read_to_string(&path).expect("the page");
        let (head, rest) = page.split_once(&begin).expect("a place for the table");
        let (held, tail) = rest.split_once(&end).expect("the end of that place");
        let expected = format!("\n{generated}\n");
        if held != expected && bless {
            std::fs::write(&path, format!("{head}{begin}{expected}{end}{tail}")).expect("the page");
            continue;
        }
        assert_eq!(held, expected, "run with BABSON_BLESS=1");
    }
}
