//! Converts a CQL 3 query to a modern query that matches the same games.

mod constant;
mod item;
mod list;
mod moves;

use babson_chess::VariantNames;

use crate::lexer;
use crate::limits::{MAX_MODERN_BYTES, MAX_POSITIONS};
use crate::transform;
use crate::tree::{
    MatchItem, MatchList, Pieces, PositionFlag, PositionItem, PositionList, ValueRange,
};
use babson_lang::QuerySpans;
use babson_lang::Steps;
use babson_lang::analyze_spans;
use babson_lang::diagnostic::{Code, Diagnostic, Span};
use babson_lang::dialect::Dialect;
use babson_lang::hir::{Condition, Content, FileName, NodeSelection};

/// A query of CQL 3 in the modern language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModernQuery {
    /// The modern query. It matches the same games.
    pub query: String,
    /// Warnings about positions that the modern query marks differently.
    pub changes: Vec<Diagnostic>,
    /// The input file of its header, with its span in the old query.
    pub input: Option<FileName>,
    /// The output file of its header, with its span in the old query.
    pub output: Option<FileName>,
}

/// Writes a query of CQL 3 in the modern language. Comments are kept: they move before the
/// top-level list that contains them.
///
/// # Errors
/// The errors of the query, or one error for each construct without a modern form.
///
/// ```
/// let old = "(match :pgn a.pgn ; rooks\n (position R :mate :flipcolor :markall))";
/// let new = babson_cql3::to_modern(old).unwrap();
/// let expected = "// rooks\ncql(input a.pgn matchstring \"MATCH\")\nflipcolor {\n  R\n  mate\n}\n";
/// assert_eq!(new.query, expected);
/// assert!(new.changes.is_empty());
/// ```
pub fn to_modern(text: &str) -> Result<ModernQuery, Vec<Diagnostic>> {
    let tree = crate::parse::parse(text, &mut Steps::default())?;
    crate::check::check(&tree)?;
    let mut writer = ModernWriter::new(text);
    let query = writer.query(&tree);
    if !writer.errors.is_empty() {
        return Err(writer.errors);
    }
    if query.len() > MAX_MODERN_BYTES {
        let error =
            Diagnostic::new(Code::NoModernForm, tree.span, "the modern query would be too long");
        return Err(vec![error.with_help(format!("{MAX_MODERN_BYTES} bytes are the limit"))]);
    }
    let parts = QuerySpans::whole(&query);
    match analyze_spans(&query, &parts, Dialect::default(), &VariantNames::default()) {
        Ok(_) => Ok(ModernQuery { query, ..writer.modern }),
        Err(errors) => {
            let reason = errors.first().map_or("", |error| error.message.as_str());
            let error =
                Diagnostic::new(Code::NoModernForm, tree.span, "this query has no modern form");
            Err(vec![error.with_help(format!("it would not compile: {reason}"))])
        }
    }
}

/// The parts of a modern query.
#[derive(Default)]
struct ModernParts<'l> {
    /// The parameters of the header.
    header: Vec<String>,
    /// The filters that come before the filter for the position lists.
    conditions: Vec<String>,
    tags: Vec<(&'l str, Content)>,
}

struct ModernWriter<'t> {
    errors: Vec<Diagnostic>,
    /// The result, without its text.
    modern: ModernQuery,
    /// The comments of the text that are not written yet, in order.
    comments: std::iter::Peekable<std::vec::IntoIter<(u32, &'t str)>>,
    /// The number of variables made so far.
    variables: usize,
    /// Whether the list visits variations. Then all conditions on one move must be in one filter.
    in_variations: bool,
    steps: Steps,
}

impl<'t> ModernWriter<'t> {
    fn new(text: &'t str) -> ModernWriter<'t> {
        ModernWriter {
            errors: Vec::new(),
            modern: ModernQuery::default(),
            comments: lexer::comments(text).into_iter().peekable(),
            variables: 0,
            in_variations: false,
            steps: Steps::default(),
        }
    }

    fn none(&mut self, span: Span, what: &str, help: &str) -> String {
        let error = Diagnostic::new(Code::NoModernForm, span, format!("{what} has no modern form"));
        self.errors.push(error.with_help(help));
        String::new()
    }

    fn change(&mut self, span: Span, message: &str) {
        self.modern.changes.push(Diagnostic::new(Code::ModernDifference, span, message));
    }

    /// The comments that begin before a place, each as a line.
    fn comments_before(&mut self, end: u32) -> String {
        let mut lines = String::new();
        while let Some((_, comment)) = self.comments.next_if(|(start, _)| *start < end) {
            lines.push_str(format!("// {}", comment.trim()).trim_end());
            lines.push('\n');
        }
        lines
    }

    fn query(&mut self, tree: &MatchList) -> String {
        let ModernParts { mut header, mut conditions, tags } = self.parts(tree);
        let lists: Vec<&PositionList> = tree.lists().collect();
        self.in_variations = tree.visits_variations();
        header.extend(self.in_variations.then(|| "variations".to_owned()));
        let before = self.comments_before(lists.first().map_or(u32::MAX, |list| list.span.start));
        let (mark, body) = match lists.as_slice() {
            [list] if tags.is_empty() && is_counted_by_the_header(list) => {
                self.only_list(list, &mut header)
            }
            lists => {
                let finds = self.finds(lists);
                ("", format!("initial\n{}", self.tagged(&tags, finds, tree.span)))
            }
        };
        header.push(format!("matchstring \"{mark}\""));
        conditions.push(body);
        format!("{before}cql({})\n{}\n", header.join(" "), conditions.join("\n"))
    }

    /// Divides a match list into the parts of a modern query.
    fn parts<'l>(&mut self, tree: &'l MatchList) -> ModernParts<'l> {
        let mut parts = ModernParts::default();
        for (item, span) in &tree.items {
            match item {
                MatchItem::Pgn(file) => {
                    parts.header.push(self.file("input", file, *span));
                    self.modern.input = Some(modern_name(file, *span));
                }
                MatchItem::Output(file) => {
                    parts.header.push(self.file("output", file, *span));
                    self.modern.output = Some(modern_name(file, *span));
                }
                MatchItem::GameNumber(ValueRange { lo, hi }) => {
                    if *hi < 1 || lo > hi {
                        parts.conditions.push("false".to_owned());
                    } else {
                        parts.header.push(format!("gamenumber {} {hi}", lo.max(&1)));
                    }
                }
                MatchItem::Result(result) => {
                    parts.conditions.push(item::condition(Condition::Result(*result)));
                }
                MatchItem::Year(range) => parts.conditions.push(item::within("year", *range)),
                MatchItem::Player(name) => {
                    let name = self.text(&name.to_lowercase(), *span);
                    parts.conditions.push(format!(
                        "{{{name} in lowercase player white or {name} in lowercase player black}}"
                    ));
                }
                MatchItem::ForAny { tag, pieces } => {
                    if let Pieces::Kinds(content) = pieces.pieces {
                        parts.tags.push((tag, content));
                    }
                }
                MatchItem::Position(_) => {}
            }
        }
        parts
    }

    /// The mark and the filter of a query with one list, whose counts go into the header.
    fn only_list(
        &mut self,
        list: &PositionList,
        header: &mut Vec<String>,
    ) -> (&'static str, String) {
        let comments = self.comments_before(u32::MAX);
        let (count, _) = list.match_counts();
        if let Some(ValueRange { lo, hi }) = count {
            header.push(format!("matchcount {lo} {hi}"));
        }
        if !list.has(PositionFlag::MarkAll) && !list.has(PositionFlag::NoAnnotate) {
            self.change(
                list.span,
                "CQL 3 marks the first matching position of a game, the modern query each one",
            );
        }
        let mark = if list.has(PositionFlag::NoAnnotate) { "" } else { "MATCH" };
        let filter = self.list(list);
        (mark, comments + &self.scoped(list, filter))
    }

    /// The top-level lists, each with the comments before the next one.
    fn finds(&mut self, lists: &[&PositionList]) -> String {
        let mut finds = Vec::new();
        for (at, list) in lists.iter().enumerate() {
            let end = lists.get(at + 1).map_or(u32::MAX, |next| next.span.start);
            let comments = self.comments_before(end);
            finds.push(comments + &self.find(list));
        }
        let mut marking = lists.iter().filter(|list| !list.has(PositionFlag::NoAnnotate));
        if let Some(second) = marking.nth(1) {
            self.change(
                second.span,
                "a position that two lists mark gets the word twice in the modern query, once in CQL 3",
            );
        }
        finds.join("\n")
    }

    /// The filter of a top-level list, at the nodes in its scope.
    fn scoped(&mut self, list: &PositionList, filter: String) -> String {
        match list.nodes() {
            NodeSelection::All => filter,
            NodeSelection::Variations => format!("variation\n{filter}"),
            NodeSelection::MainLine if !self.in_variations => filter,
            NodeSelection::MainLine => {
                // A list of the main line must not look at moves of variations.
                if list.any(&PositionItem::is_about_a_move) {
                    self.none(
                        list.span,
                        "a list about moves of the main line beside one with `:variations`",
                        "give each list a query of its own",
                    );
                }
                format!("mainline\n{filter}")
            }
        }
    }

    /// A top-level list as a filter of the initial position. The filter writes the marks itself.
    fn find(&mut self, list: &PositionList) -> String {
        let (count, count_of_images) = list.match_counts();
        let mark = if list.has(PositionFlag::NoAnnotate) { "" } else { "\ncomment(\"MATCH\")" };
        let filter = self.list(list);
        let filter = self.scoped(list, filter);
        let all = if list.has(PositionFlag::MarkAll) { " all" } else { "" };
        let first = format!("find quiet{all} {}", list::braced(&(filter.clone() + mark)));
        let mut lines = Vec::new();
        if let Some(range) = count {
            lines.push(counted(range, &filter));
        }
        if let Some(range) = count_of_images {
            let images = self.images(list, &list.transforms());
            // An image that never matches has a count too.
            if !(images.some_never_match && range.contains(0)) {
                let counts: Vec<String> = images
                    .live
                    .iter()
                    .map(|image| {
                        let filter = self.list(image);
                        // Braces: `find` would take what `or` joins to it.
                        list::braced(&counted(range, &self.scoped(image, filter)))
                    })
                    .collect();
                lines.push(list::any_of(&counts));
            }
        }
        match (count.is_some() || count_of_images.is_some(), mark.is_empty()) {
            (false, _) => lines.push(first),
            (true, true) => {}
            // The marks do not depend on the counts, so the filter matches whether or not a
            // position matches.
            (true, false) => lines.push(format!("{{{{{first}}} or true}}")),
        }
        lines.join("\n")
    }

    /// The lists, inside loops over the pieces that the tags may be.
    fn tagged(&mut self, tags: &[(&str, Content)], finds: String, span: Span) -> String {
        let mut body = finds;
        for (at, (tag, content)) in tags.iter().enumerate().rev() {
            let kinds = content.to_string();
            let mut lines = String::new();
            if let Some((other, _)) = tags[..at].first() {
                lines.push_str(&format!("not ${tag} & ${other}\n"));
            }
            if content.0 & 0xfff != 0xfff {
                lines.push_str(&format!("find quiet {{${tag} & {kinds}}}\n"));
            }
            lines.push_str(&body);
            body = format!("piece ${tag} in [Aa] {{\n{}\n}}", list::indented(&lines));
        }
        if tags.iter().any(|(_, content)| content.0 & Content::EMPTY.0 != 0) {
            return self.none(span, "a tag for empty squares", "name pieces");
        }
        body
    }

    /// A file name as a parameter of the header.
    fn file(&mut self, word: &str, name: &str, span: Span) -> String {
        if name.contains(['"', '\n', '\r']) {
            return self.none(
                span,
                "this file name",
                "give the file on the command line, with -i or -o",
            );
        }
        let is_plain = !name.contains(|c: char| c.is_whitespace() || "()<>".contains(c))
            && name.rsplit_once('.').is_some_and(|(_, end)| {
                !end.is_empty() && end.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            });
        if is_plain { format!("{word} {name}") } else { format!("{word} \"{name}\"") }
    }

    fn text(&mut self, text: &str, span: Span) -> String {
        if text.contains(['"', '\n', '\r']) {
            return self.none(
                span,
                "a text with a quote or over several lines",
                "leave the quote out, or write it on one line",
            );
        }
        format!("\"{text}\"")
    }
}

fn modern_name(name: &str, span: Span) -> FileName {
    FileName::new(name, false, span)
}

/// Whether the header of a modern query can express all counts of the list.
fn is_counted_by_the_header(list: &PositionList) -> bool {
    let (count, count_of_images) = list.match_counts();
    count_of_images.is_none() && count.is_none_or(|range| (1..=range.hi).contains(&range.lo))
}

/// The number of positions at which the filter matches is in the range.
fn counted(range: ValueRange, filter: &str) -> String {
    let filter = list::braced(filter);
    match range {
        ValueRange { lo, hi } if lo > hi || hi < 0 => "false".to_owned(),
        // The least range of `find` begins at 1, so the filter is that there are not more than
        // `hi`.
        ValueRange { lo, hi } if lo < 1 => {
            format!(
                "not find quiet {} {MAX_POSITIONS} {filter}",
                hi.saturating_add(1).min(MAX_POSITIONS)
            )
        }
        ValueRange { lo, hi } => {
            format!("find quiet {} {} {filter}", lo.min(MAX_POSITIONS), hi.min(MAX_POSITIONS))
        }
    }
}
