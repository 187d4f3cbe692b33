//! Converts grammar errors to diagnostics: the unexpected token, the expected ones, and a hint if
//! there is one.

use crate::ast::{BinaryOp, InfixOp};
use crate::diagnostic::{Code, Diagnostic, Fix, Help, Span};
use crate::keywords::{HEADER, Keyword};
use crate::limits::MAX_EXPECTED;
use crate::parameters::{self, ParamForm};
use crate::san;
use crate::suggest::nearest_of;
use crate::symbols::to_ascii;
use crate::synonyms;
use crate::tokens::terminal::Terminal;
use lalrpop_util::ParseError;

/// The diagnostic for an error of the generated parser. `places` are the offsets of all tokens, in
/// order.
pub(crate) fn report(
    text: &str,
    error: &ParseError<u32, Terminal<'_>, ()>,
    places: &[Span],
) -> Diagnostic {
    let span = place(error);
    let (token, expected) = match error {
        ParseError::UnrecognizedToken { token, expected } => (Some(&token.1), expected.as_slice()),
        ParseError::ExtraToken { token } => (Some(&token.1), &[][..]),
        ParseError::UnrecognizedEof { expected, .. } => (None, expected.as_slice()),
        ParseError::InvalidToken { .. } | ParseError::User { .. } => (None, &[][..]),
    };
    let upto = places.partition_point(|place| place.end <= span.start);
    let previous = places[..upto].iter().rev().find(|place| place.end > place.start);
    let previous = previous.map_or("", |place| place.text(text));
    let found = match token {
        None => "the query ends here".to_string(),
        Some(Terminal::PathEnd) => "the `path` ends here".to_string(),
        Some(Terminal::LineCommentEnd) => "the `///` comment ends here".to_string(),
        Some(Terminal::OperandOpen | Terminal::OperandEnd) => "the operand ends here".to_string(),
        Some(_) => format!("unexpected `{}`", span.text(text)),
    };
    if let Some(diagnostic) = without_dash(text, span, expected, places) {
        return diagnostic;
    }
    let wanted = collapse(expected);
    let mut diagnostic =
        Diagnostic::new(Code::UnexpectedToken, span, format!("{found}: expected {wanted}"));
    if matches!(token, Some(Terminal::LooseTarget)) {
        diagnostic.code = Code::DetachedTarget;
        diagnostic.message = "the target of a dash must touch it".to_string();
    } else if wanted.is_empty() {
        diagnostic.message = found;
    }
    let names = HEADER.iter().map(|keyword| keyword.name());
    let near = in_header(error).then(|| nearest_of(span.text(text), names.clone())).flatten();
    let next = places.iter().find(|place| place.start >= span.end && place.end > place.start);
    let next = next.map_or("", |place| place.text(text));
    let help = near.map(|near| Help::did_you_mean(span, near));
    let help = help.or_else(|| hint(text, span, token, (previous, next)));
    let wants_operand = expected.iter().any(|one| one.trim_matches('"') == "nullary");
    let squares = || synonyms::rank_or_file(previous).filter(|_| wants_operand).map(Help::from);
    let help = help.or_else(squares);
    let help = help.or_else(|| {
        let imagine = expected.iter().any(|e| e.contains("imagine:"));
        imagine.then(|| Help::from("`imagine` needs `:` and a filter after its changes"))
    });
    let help = help.or_else(|| {
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        in_header(error).then(|| Help::from(format!("the parameters are {}", names.join(", "))))
    });
    match help {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}

/// The span of an error.
pub(crate) fn place(error: &ParseError<u32, Terminal<'_>, ()>) -> Span {
    match error {
        ParseError::UnrecognizedToken { token, .. } | ParseError::ExtraToken { token } => {
            Span::new(token.0, token.2)
        }
        ParseError::UnrecognizedEof { location, .. } | ParseError::InvalidToken { location } => {
            Span::new(*location, *location)
        }
        ParseError::User { .. } => Span::default(),
    }
}

/// The error for a keyword that must precede a dash, such as `legal`, without one.
fn without_dash(
    text: &str,
    span: Span,
    expected: &[String],
    places: &[Span],
) -> Option<Diagnostic> {
    let has = |t: &str| expected.iter().any(|e| e.trim_matches('"') == t);
    let (before, after) = (has("dash") && !has("width1"), has("dashleft") && !has("operator"));
    if !before && !after {
        return None;
    }
    let upto = places.partition_point(|place| place.start < span.start);
    let (at, word, name) = places[..upto].iter().enumerate().rev().find_map(|(i, place)| {
        let words = place.text(text);
        // As the query spells it: `currentmove` is `previous` too.
        let name = words.split_whitespace().last()?;
        let word = Keyword::from_word(name)?;
        word.precedes_dash().then_some((i, word, name))
    })?;
    let generated = matches!(word, Keyword::Legal | Keyword::PseudoLegal);
    let what = if generated { "`--`" } else { "a dash or a capture" };
    // The operand in the place of the dash.
    let operand = places.get(at + 1).copied().unwrap_or(span);
    let place = if after { operand } else { span };
    let error =
        Diagnostic::new(Code::MissingDash, place, format!("`{name}` needs {what} after it"));
    let castles = matches!(place.text(text), "o-o" | "o-o-o" | "castle");
    Some(error.with_help(if castles {
        let castling = place.text(text);
        let fix = Fix::replace(place, format!("--({castling})"));
        Help::from(format!("write `{name} --({castling})`")).with(fix)
    } else {
        Help::from(format!("as in `{name} --`"))
    }))
}

/// Whether the error is at the `:` of an `imagine` that has an earlier error.
pub(crate) fn follows_imagine(error: &ParseError<u32, Terminal<'_>, ()>) -> bool {
    matches!(error, ParseError::UnrecognizedToken { token: (_, Terminal::ImagineColon, _), .. })
}

/// Whether the error is inside `cql(…)`. Errors after it are consequences of it.
pub(crate) fn in_header(error: &ParseError<u32, Terminal<'_>, ()>) -> bool {
    let ParseError::UnrecognizedToken { expected, .. } = error else {
        return false;
    };
    expected.iter().any(|e| e.contains("headerflag"))
}

/// Formats the expected terminals. A long group, such as all that begin a filter, gets one name.
fn collapse(expected: &[String]) -> String {
    let plain: Vec<&str> = expected.iter().map(|e| e.trim_matches('"')).collect();
    let has = |t: &str| plain.contains(&t);
    let mut words: Vec<String> = Vec::new();
    let filter = has("nullary") && has("width1");
    let operand = has("nullary") && !filter;
    let operator = has("operator");
    if filter {
        words.push("a filter".to_string());
    }
    if operand {
        words.push("an operand".to_string());
    }
    if operator {
        words.push("an operator".to_string());
    }
    let group = filter || operand || operator;
    let mut rest: Vec<String> = Vec::new();
    for &t in &plain {
        // Virtual tokens and members of a group are redundant.
        let covered = group
            && !matches!(
                t,
                ")" | "]"
                    | "}"
                    | "in"
                    | "then"
                    | "else"
                    | "="
                    | "chain"
                    | "imagine:"
                    | "headerflag"
            )
            || operator && t == "in"
            || filter && t == "then"
            || matches!(t, "pathend" | "lineend" | "error");
        if !covered {
            let name = terminal_name(t);
            if !rest.contains(&name) {
                rest.push(name);
            }
        }
    }
    if rest.len() <= MAX_EXPECTED {
        words.extend(rest);
    }
    match words.len() {
        0 => String::new(),
        1 => words.remove(0),
        n => {
            let last = words.remove(n - 1);
            format!("{} or {last}", words.join(", "))
        }
    }
}

/// The name of a terminal in messages.
fn terminal_name(t: &str) -> String {
    match t {
        "name" => "a name".to_string(),
        "piecevar" => "a piece variable".to_string(),
        "integer" => "a number".to_string(),
        "bound" | "count" => "a range".to_string(),
        "string" | "search" => "a string".to_string(),
        "designator" => "a piece designator".to_string(),
        "resultliteral" => "a result".to_string(),
        "call(" | "target(" | "pathgroup(" | "linegroup(" => "`(`".to_string(),
        "slice:" | "operand:" => "`:`".to_string(),
        "element" => "`∊`".to_string(),
        "promotion=" => "`=`".to_string(),
        "opassign" => "an assignment".to_string(),
        "chain" => "`-->`".to_string(),
        "gives" => "`-->`".to_string(),
        "wildcard" => "a wildcard".to_string(),
        "type" => "a type".to_string(),
        "imaginecolor" => "`white`, `black` or `reverse`".to_string(),
        "imaginepiece" => "`piece`".to_string(),
        "imagineside" => "`sidetomove`".to_string(),
        "imagine:" => "`:`".to_string(),
        "headerflag" | "headerrange" | "headerresult" | "headerfile" | "headerdialect"
        | "matchstring" => "a header parameter".to_string(),
        "flag" | "backward" | "sorttext" | "finalflag" | "finaloperand" | "finallist"
        | "seqmax" | "focus" | "title" => "a parameter".to_string(),
        "loopword" => "`key`".to_string(),
        _ => format!("`{t}`"),
    }
}

/// A hint from the unexpected token, and the ones before and after it.
fn hint(
    text: &str,
    span: Span,
    token: Option<&Terminal<'_>>,
    (previous, next): (&str, &str),
) -> Option<Help> {
    let found = span.text(text);
    let before = text.get(..span.start as usize).unwrap_or("");
    let is_dash = |text: &str| ["--", "――", "[x]", "×"].iter().any(|dash| text.ends_with(dash));
    // `&&`, `||`
    let doubled = before.ends_with(found);
    let is_keyword = Keyword::from_word(previous).is_some();
    let (upto, ahead) = (before.trim_end(), previous.len());
    let after_dash = is_dash(upto)
        || upto.len().checked_sub(ahead).and_then(|at| upto.get(..at)).is_some_and(is_dash);
    // Both characters of a doubled operator.
    let pair = Span::new(span.start.saturating_sub(span.end - span.start), span.end);
    let between = |word: &str| {
        let touches = |letter: Option<char>| letter.is_some_and(|letter| !letter.is_whitespace());
        let rest = text.get(pair.end as usize..).unwrap_or_default();
        let upto = text.get(..pair.start as usize).unwrap_or_default();
        let left = if touches(upto.chars().next_back()) { " " } else { "" };
        let right = if touches(rest.chars().next()) { " " } else { "" };
        Fix::replace(pair, format!("{left}{word}{right}")).certain()
    };
    // The token before, if it touches this one.
    let last = Span::new(span.start.saturating_sub(previous.len() as u32), span.start);
    // The last bytes of the text before, without the whitespace at its end.
    let before_end = |length: usize| {
        let end = upto.len() as u32;
        Span::new(end.saturating_sub(length as u32), end)
    };
    let plain = match token {
        Some(Terminal::LooseTarget) => Some(
            "write `--(…)` without a space; to write a separate filter, put it in braces"
                .to_string(),
        ),
        Some(Terminal::DashLeft(_) | Terminal::DashBoth(_)) => Some(format!(
            "the left operand of `{found}` must be a set of squares: put a space before it"
        )),
        Some(Terminal::Assign) if after_dash => {
            Some("a promotion must touch its dash, as in `--=Q` and `--a8=Q`".to_string())
        }
        Some(Terminal::RParen) if before.strip_suffix('(').is_some_and(is_dash) => {
            Some("the target of a dash needs a filter".to_string())
        }
        Some(Terminal::Assign | Terminal::OpAssign(_)) if is_keyword => {
            Some(format!("`{previous}` is a keyword and cannot be assigned: choose another name"))
        }
        Some(Terminal::Operator(BinaryOp::Infix(InfixOp::Intersect))) if doubled => {
            return Some(Help::from("write `and` between conditions").with(between("and")));
        }
        Some(Terminal::Operator(BinaryOp::Infix(InfixOp::Union))) if doubled => {
            return Some(Help::from("write `or` between conditions").with(between("or")));
        }
        Some(Terminal::Assign) if before.ends_with(':') => {
            let fix = Fix::replace(Span::new(span.start - 1, span.end), "=").certain();
            return Some(Help::from("a variable is assigned by `=` alone").with(fix));
        }
        Some(Terminal::Assign) => {
            let fix = Fix::replace(span, "==");
            return Some(Help::from("a comparison is written `==`").with(fix));
        }
        Some(Terminal::Operator(BinaryOp::Arrow(_))) => {
            let help = Help::from("constituents of `line` are joined by `-->`");
            return Some(help.with(Fix::replace(span, "-->")));
        }
        Some(Terminal::Reserved) if found.starts_with('[') => {
            let inner = found.trim_matches(['[', ']']);
            let key = format!("[ {inner} ]");
            let help = format!("`{found}` is a piece designator: as a key write `{key}`");
            return Some(Help::from(help).with(Fix::replace(span, key)));
        }
        Some(Terminal::Reserved) => {
            let Some(word) = Keyword::from_word(to_ascii(found).unwrap_or(found)) else {
                let fix = Fix::replace(Span::new(span.start, span.start), "result ");
                return Some(Help::from("write `result` before it").with(fix));
            };
            if word == Keyword::Count && !upto.ends_with('.') {
                let after = text.get(span.end as usize..).unwrap_or_default();
                let spaces = after.len() - after.trim_start_matches(' ').len();
                let place = Span::new(span.start, span.end + spaces as u32);
                let help = Help::from(reserved(word)?);
                return Some(help.with(Fix::replace(place, "#")));
            }
            let is_special = INSTEAD.iter().any(|(keyword, _)| *keyword == word);
            if !is_special && let Some(help) = parameter_alone(before, word, span, next) {
                return Some(help);
            }
            let hint = reserved(word);
            Some(hint.unwrap_or_else(|| format!("`{found}` is a reserved word")))
        }
        Some(Terminal::Call | Terminal::RParen)
            if previous == "(" || found == ")" && before.ends_with('(') =>
        {
            Some("parentheses hold one filter".to_string())
        }
        Some(Terminal::Wild(..)) if found == "+" || found == "*" => {
            if found == "+" && before.ends_with(previous) && san::is_move(previous) {
                let span = Span::new(last.start, span.end);
                return Some(san::played(&format!("{previous}+"), span));
            }
            if found == "+"
                && let Some(help) = san::translated(previous, last.to(span))
            {
                return Some(help);
            }
            Some("before a bracket or an arrow this is a wildcard; for arithmetic, an operand is missing".to_string())
        }
        Some(Terminal::Operator(BinaryOp::Rel(_)))
            if matches!(previous, "attacks" | "attackedby") =>
        {
            Some(format!(
                "`{previous}` stands between two sets, as in `R attacks k`; `#(R attacks k)` counts"
            ))
        }
        None => {
            if let Some(word) = upto.strip_suffix('#').and_then(last_word) {
                let place = before_end(word.len() + 1);
                if san::is_move(word) {
                    return Some(san::played(&format!("{word}#"), place));
                }
                if let Some(help) = san::translated(word, place) {
                    return Some(help);
                }
            }
            before.trim_end().ends_with("else").then(|| "`else` needs a filter".to_string())
        }
        _ => None,
    };
    plain.map(Help::from)
}

/// The letters and digits at the end of a text.
fn last_word(text: &str) -> Option<&str> {
    text.rsplit(|c: char| !c.is_ascii_alphanumeric()).next()
}

/// What to write instead of a keyword that is not a filter.
const INSTEAD: [(Keyword, &str); 4] = [
    (Keyword::Any, "any square is written `.`"),
    (
        Keyword::Count,
        "it belongs to `flip` and similar filters; `#` counts squares, as in `#Q == 2`",
    ),
    (Keyword::Substring, "a part of a string is `s[i:j]`, and `s in t` finds one"),
    (Keyword::Transform, "each transform has its own name, as `flip` and `rotate90`"),
];

/// The hint for a parameter in a query without its filter before it: `promote N`.
fn parameter_alone(before: &str, word: Keyword, place: Span, next: &str) -> Option<Help> {
    let of = parameters::filter_with(word).filter(|of| matches!(*of, "move" | "pin"))?;
    let mut words = before.split(|letter: char| !letter.is_ascii_alphanumeric());
    if words.any(|word| word == of) {
        return None;
    }
    let takes_operand = Keyword::from_word(of)
        .is_some_and(|of| parameters::form(of, word) == Some(ParamForm::Operand));
    let word = word.name();
    let help = Help::from(match takes_operand && !next.is_empty() {
        true => format!("it is a parameter of `{of}`: write `{of} {word} {next}`"),
        false => format!("it is a parameter of `{of}`, which stands before it: `{of} {word}`"),
    });
    Some(help.with(Fix::replace(Span::new(place.start, place.start), format!("{of} "))))
}

/// A hint for a keyword that is not a filter: which filter it is a parameter of, or what to write
/// instead.
pub(crate) fn reserved(word: Keyword) -> Option<String> {
    if let Some((_, hint)) = INSTEAD.iter().find(|(keyword, _)| *keyword == word) {
        return Some((*hint).to_string());
    }
    let of = parameters::filter_with(word)?;
    Some(if matches!(of, "pin" | "move") {
        format!(
            "it is a parameter of `{of}`: before it, an operand with operators needs parentheses"
        )
    } else {
        format!("it is a parameter of `{of}`")
    })
}
