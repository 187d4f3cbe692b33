//! The page around the data: what precedes the first game and what follows the last one.

use std::fmt::Write as _;

use babson_vm::Tracing;
use serde::Serialize;

use crate::limits::MAX_GAMES;
use crate::markup::{json, push};
use crate::query::{ReportQuery, filters, marked_up, on_one_line};

// `cargo xtask page` builds both from `page/src`.
const STYLE: &str = include_str!("../page/dist/report.css");
const SCRIPT: &str = include_str!("../page/dist/report.js");
/// The colors of the tokens of a query.
const TOKEN_STYLE: &str = include_str!("../page/src/tokens.css");

/// What a report holds of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportTotals {
    /// The games that were searched.
    pub searched: u64,
    /// The matching games that are on the page.
    pub written: u64,
    /// The matching games that the page has no room for: [`MAX_GAMES`] and
    /// [`MAX_BYTES`](crate::MAX_BYTES).
    pub left_out: u64,
}

/// What a page is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PageLayout {
    /// For reading on a screen: the query, and a card for each game with marked boards.
    #[default]
    Report,
    /// For solving on paper: numbered boards without marks and arrows, six on a printed page, and
    /// at the end the moves that were played.
    Worksheet,
}

/// How the script of the page lays it out.
#[derive(Serialize)]
struct PageOptions {
    worksheet: bool,
}

/// Returns everything of a report before the first game. The policy of the page forbids all that
/// would need a network.
pub fn head(query: &ReportQuery<'_>) -> String {
    head_of(query, PageLayout::Report)
}

/// Returns everything before the first game of a page with a layout.
pub fn head_of(query: &ReportQuery<'_>, layout: PageLayout) -> String {
    let is_worksheet = layout == PageLayout::Worksheet;
    let title = match (query.title, query.text) {
        ("", Some(text)) => on_one_line(&text.text),
        ("", None) => "Matches".to_owned(),
        (title, _) => title.to_owned(),
    };
    let mut out = String::from(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta \
         name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<meta \
         http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src \
         'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>",
    );
    push(&mut out, &title);
    let _ = write!(out, "</title>\n<style>\n{STYLE}</style>\n</head>\n");
    out.push_str(match layout {
        PageLayout::Report => "<body>\n",
        PageLayout::Worksheet => "<body class=\"worksheet\">\n",
    });
    out.push_str("<header>\n<h1>");
    push(&mut out, &title);
    out.push_str("</h1>\n<p id=\"about\"></p>\n</header>\n");
    let filters = filters(query);
    // The query would give the puzzles away.
    if let Some(text) = query.text.filter(|_| !is_worksheet) {
        out.push_str(
            "<details id=\"query\" open>\n<summary>The query</summary>\n<pre \
             aria-label=\"Query\"><code>",
        );
        out.push_str(&marked_up(text, &filters));
        out.push_str("</code></pre>\n<div id=\"legend\"></div>\n");
        if let Tracing::Impossible(why) = query.tracing {
            out.push_str("<p class=\"note\">The squares of its filters are not marked: ");
            push(&mut out, &why.to_string());
            out.push_str(".</p>\n");
        }
        out.push_str("</details>\n");
    }
    let keys: Vec<&str> = query.program.sorts().iter().map(|key| key.name.as_str()).collect();
    let _ = write!(
        out,
        "<main id=\"games\"></main>\n<noscript><p class=\"note\">The boards of this page are drawn \
         by a script, which this browser does not run.</p></noscript>\n<script \
         type=\"application/json\" id=\"options\">{}</script>\n<script type=\"application/json\" \
         id=\"filters\">{}</script>\n<script type=\"application/json\" \
         id=\"keys\">{}</script>\n<script type=\"application/json\" id=\"data\">\n",
        json(&PageOptions { worksheet: is_worksheet }),
        json(&filters),
        json(&keys),
    );
    out
}

/// Returns the text of a query with colored tokens, as a part of another page: an element that
/// brings its style along. It is empty if the query has no [text](ReportQuery::text).
///
/// ```
/// use babson_lang::{Dialect, QuerySpans, QueryText, analyze};
/// use babson_report::{ReportQuery, query_element};
/// use babson_vm::{Program, RunOptions, Tracing};
///
/// let text = "check // twice\n#Q > 1";
/// let program = Program::compile(&analyze(text, Dialect::CQLI).unwrap().query).unwrap();
/// let source = QueryText {
///     text: text.to_owned(),
///     parts: QuerySpans::whole(text),
///     dialect: Dialect::CQLI,
/// };
/// let element = query_element(&ReportQuery {
///     title: "",
///     text: Some(&source),
///     program: &program,
///     options: &RunOptions::default(),
///     tracing: &Tracing::Off,
/// });
/// assert!(element.contains("<span class=\"keyword\">check</span>"));
/// assert!(element.ends_with("</code></pre>"));
/// ```
pub fn query_element(query: &ReportQuery<'_>) -> String {
    let Some(text) = query.text else { return String::new() };
    format!(
        "<style>.babson-query{{color-scheme:light dark;white-space:pre-wrap;font-family:\
         ui-monospace,monospace;\n{TOKEN_STYLE}}}</style><pre class=\"babson-query\"><code>{}\
         </code></pre>",
        marked_up(text, &[])
    )
}

/// Returns everything after the last game.
pub fn tail(totals: &ReportTotals) -> String {
    let ReportTotals { searched, written, left_out } = *totals;
    let mut out = String::from("</script>\n");
    let (shown, matches) = (counted(written), counted(written + left_out));
    let games = counted(searched);
    if left_out > 0 {
        let _ = writeln!(
            out,
            "<p class=\"note\" id=\"left-out\">This page shows the first {shown} of {matches} \
             matching games. A page has room for {} games; another format has them all, and so have \
             several pages, one for each year or opening, for instance.</p>",
            counted(MAX_GAMES),
        );
    }
    if written + left_out == 0 {
        let of = match searched {
            0 => "There are no games to search".to_owned(),
            1 => "The only game does not match".to_owned(),
            _ => format!("None of the {games} games matches"),
        };
        let _ =
            write!(out, "<section id=\"empty\">\n<h2>No game matches</h2>\n<p>{of}.</p>\n{TRY}");
    }
    let searched = match searched {
        1 => "1 game searched".to_owned(),
        _ => format!("{games} games searched"),
    };
    let _ = write!(
        out,
        "<footer>{searched}, {matches} {noun}. Written by Babson {}.</footer>\n<script>\n{SCRIPT}\
         </script>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION"),
        noun = if written + left_out == 1 { "match" } else { "matches" },
    );
    out
}

/// What to do if nothing matches.
const TRY: &str = "<p>What to try:</p>\n<ul>\n\
<li>Ask <code>babson why</code> about a game that should match: it says which filter fails first.</li>\n\
<li>Leave out the filters one after the other, the last one first.</li>\n\
<li>Look at the names: the texts of <code>player</code> and other filters of tags distinguish \
capital and small letters.</li>\n\
<li>Search the variations too, if the position may be in one.</li>\n</ul>\n</section>\n";

/// A number with commas between thousands.
fn counted(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas() {
        let texts = [0, 999, 1000, 1_234_567].map(counted);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn the_end_tells_what_is_missing() {
        let full = tail(&ReportTotals { searched: 30_000, written: 20_000, left_out: 5 });
        assert!(full.contains("the first 20,000 of 20,005 matching games"), "{full}");
        assert!(!full.contains("id=\"empty\""));
        let empty = tail(&ReportTotals { searched: 2, ..ReportTotals::default() });
        assert!(empty.contains("None of the 2 games matches"), "{empty}");
        let one = tail(&ReportTotals { searched: 1, written: 1, left_out: 0 });
        assert!(one.contains("1 game searched, 1 match.") && !one.contains("left-out"), "{one}");
    }

    /// Whoever has a report has the licenses of the packages whose code is in it.
    #[test]
    fn the_script_has_its_licenses() {
        let licenses = include_str!("../page/dist/licenses-of-scripts.txt");
        assert!(licenses.contains("preact") && SCRIPT.contains(licenses.trim()));
    }

    /// The page names no other place that a browser would read.
    #[test]
    fn the_script_and_the_style_stand_alone() {
        for text in [SCRIPT, STYLE] {
            // An arrow names its head, which is in the page; a drawing names its language.
            let text = text.replace("url(#", "").replace("http://www.w3.org/", "");
            // A link is followed only by a press.
            let text = text.replace("https://lichess.org/analysis/", "");
            for outside in ["http", "//cdn", "@import", "url(", "fetch(", "XMLHttp", "</script"] {
                assert!(!text.contains(outside), "{outside}");
            }
        }
    }
}
