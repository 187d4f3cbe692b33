//! Common mistakes, recognized by the tokens around a grammar error, with a better message.

mod brackets;
mod order;

use lalrpop_util::ParseError;

use crate::ast::{BinaryOp, TypeName};
use crate::cql3;
use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Help, Span};
use crate::grammar_errors::{in_header, place};
use crate::hir::{GameResult, Type};
use crate::keywords::{Keyword, KeywordClass, OperandLevel};
use crate::lexer::is_designator;
use crate::limits::MAX_REPEATED;
use crate::sema::warnings::{between, is_digits};
use crate::suggest;
use crate::synonyms;
use crate::tokens::terminal::Terminal;

/// The types of a typed dictionary.
const TYPES: &str = "`int`, `str`, `set` and `position`";

/// Recognizes a common mistake in a grammar error. Later errors are consequences of it. `places`
/// are the offsets of all tokens, in order.
pub(crate) fn find(
    text: &str,
    error: &ParseError<u32, Terminal<'_>, ()>,
    places: &[Span],
) -> Option<Diagnostic> {
    let span = place(error);
    let at = places.partition_point(|one| one.start < span.start);
    let around = TokenContext { text, places, at };
    if let Some(error) = order::header_in_capitals(&around) {
        return Some(error);
    }
    let ParseError::UnrecognizedToken { token, expected } = error else {
        return order::unfinished(&around);
    };
    let wants = |terminal: &str| expected.iter().any(|one| one.trim_matches('"') == terminal);
    let token = &token.1;
    if let Some(error) = order::header(&around, token, span, in_header(error)) {
        return Some(error);
    }
    if let Some(error) = order::arrow(&around, token, span, &wants) {
        return Some(error);
    }
    if let Some(error) = brackets::find(&around, span, &wants) {
        return Some(error);
    }
    if matches!(token, Terminal::RParen | Terminal::RBrace)
        && let Some(error) = order::unfinished(&around)
    {
        return Some(error);
    }
    if matches!(token, Terminal::Designator(_)) && wants("name") && !wants("nullary") {
        return not_a_name(text, span, None, None);
    }
    if matches!(token, Terminal::Assign | Terminal::OpAssign(_)) {
        if let Some(error) = reversed_comparison(text, span).or_else(|| promotion(&around)) {
            return Some(error);
        }
        if let Some(error) = assigned_filter(&around, span) {
            return Some(error);
        }
        let before = around.span(-1)?;
        // `--=Q` and `--a8 =Q` are promotions.
        let after_dash = around.word(-2).is_some_and(|word| matches!(word, "--" | "[x]"));
        let operator = Some(span).filter(|span| span.text(text) == "=");
        return if after_dash { None } else { not_a_name(text, before, operator, around.word(1)) };
    }
    if matches!(token, Terminal::Operator(BinaryOp::Arrow(_))) && wants("gives") {
        let help = "a piece is put on squares by `-->`, as in `imagine piece Q --> a8 : check`";
        let help = Help::from(help).with(Fix::replace(span, "-->").certain());
        return Some(Diagnostic::unexpected(span, span.text(text), "`-->`").with_help(help));
    }
    if matches!(token, Terminal::Operator(BinaryOp::Rel(_))) {
        return unequal(&around, span).or_else(|| half_a_comparison(&around, span));
    }
    // A virtual token has no text.
    if around.word(-1) == Some("result") && span.start < span.end {
        return Some(unknown_result(&around, span));
    }
    if matches!(token, Terminal::Then) {
        return condition_of_two(&around, span);
    }
    if span.text(text) == ":"
        && let Some(help) = cql3::keyword_help(around.word(1).unwrap_or_default())
    {
        return Some(Diagnostic::unexpected(span, ":", "a filter").with_help(help));
    }
    if around.word(-1) == Some("between")
        && let Some(error) = between_numbers(&around, span)
    {
        return Some(error);
    }
    if matches!(span.text(text), "attack" | "attacks") && around.word(1) == Some("(") {
        return Some(attack_list(&around, span));
    }
    let may_end = wants(")") && !wants("nullary") && !in_header(error);
    if may_end && !matches!(token, Terminal::Reserved) {
        let error = several_in_parentheses(&around, token, span);
        if error.is_some() {
            return error;
        }
    }
    let what = match around.word(-1) {
        Some("tag") => Some("the name of a tag"),
        Some("import") => Some("the name of a file"),
        Some(_) | None => None,
    };
    if let (true, Some(what), Some(before)) = (wants("string"), what, around.word(-1)) {
        let error = Diagnostic::literal_needed(span, what);
        let name = format!("\"{}\"", span.text(text));
        let help = Help::from(format!("write `{before} {name}`"));
        return Some(error.with_help(help.with(Fix::replace(span, name))));
    }
    dictionary(&around)
}

/// `#Q => 2`, `#Q =< 2`
fn reversed_comparison(text: &str, span: Span) -> Option<Diagnostic> {
    let operator = match text.get(span.start as usize..)?.get(..2)? {
        "=>" => ">=",
        "=<" => "<=",
        _ => return None,
    };
    let place = Span::new(span.start, span.start + 2);
    let error = Diagnostic::unexpected(place, place.text(text), "an operator");
    Some(error.with_help(Help::write(place, operator).certain()))
}

/// `Q <> 1`
fn unequal(around: &TokenContext<'_>, span: Span) -> Option<Diagnostic> {
    let before = around.span(-1)?;
    let place = before.to(span);
    (place.text(around.text) == "<>").then(|| {
        let error = Diagnostic::unexpected(place, "<>", "an operator");
        error.with_help(Help::write(place, "!=").certain())
    })
}

/// `e8=N`, `e8=Q+`: a promotion in the notation of games.
fn promotion(around: &TokenContext<'_>) -> Option<Diagnostic> {
    let (square, operator, piece) = (around.span(-1)?, around.span(0)?, around.span(1)?);
    let mut place = square.to(piece);
    // `a7-a8=Q`
    let from = around.span(-3).filter(|from| {
        let between = Span::new(from.end, square.start);
        matches!(between.text(around.text), "-") && is_designator(from.text(around.text))
    });
    let touches = square.end == operator.start && operator.end == piece.start;
    let to = square.text(around.text);
    let is_last_rank = matches!(to.as_bytes(), [b'a'..=b'h', b'1' | b'8']);
    let piece = Some(piece.text(around.text)).filter(|piece| "QRBN".contains(piece))?;
    if !touches || !is_last_rank {
        return None;
    }
    let written = place.text(around.text);
    let message = format!("`{written}` is a move of a game, not a filter");
    let error = Diagnostic::new(Code::UnexpectedToken, place, message);
    let query = format!("{}--{to}={piece}", from.map_or("", |from| from.text(around.text)));
    place = from.map_or(place, |from| from.to(place));
    if let Some(mark) = around.span(2).filter(|mark| matches!(mark.text(around.text), "+" | "#")) {
        place = place.to(mark);
    }
    let help = Help::from(format!("the promotion that follows is `{query}`"));
    Some(error.with_help(help.with(Fix::replace(place, query))))
}

/// `year = 1920`, `elo white = 2500`, `#Q = 2`: a filter in the place of a name.
fn assigned_filter(around: &TokenContext<'_>, span: Span) -> Option<Diagnostic> {
    let value = around.word(1)?;
    let word = around.word(-1)?;
    if word == "result" {
        return Some(result_without_operator(around, span));
    }
    let whole = around.span(subject_before(around, -1)?)?.to(around.span(-1)?);
    let subject = whole.text(around.text);
    let error = Diagnostic::new(
        Code::AssignedFilter,
        span,
        format!("`{subject}` is a filter and cannot be assigned"),
    );
    let is_searched =
        subject.split_whitespace().next().and_then(Keyword::from_word).is_some_and(|word| {
            word != Keyword::Elo
                && matches!(word.class(), KeywordClass::Search | KeywordClass::Colored)
        });
    let is_name = value.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_text =
        is_searched && is_name && !is_digits(value) && Keyword::from_word(value).is_none();
    Some(error.with_help(match is_text {
        true => {
            let query = format!("{subject} \"{value}\"");
            let help = Help::from(format!("a text stands in quotes: write `{query}`"));
            let place = whole.to(around.span(1)?);
            help.with(Fix::replace(place, query))
        }
        false => {
            let help = Help::from(comparison(subject, value));
            // `+=` has no such meaning.
            match span.text(around.text) == "=" {
                true => help.with(Fix::replace(span, "==")),
                false => help,
            }
        }
    }))
}

/// The place of the first token of a filter with a value that ends `by` places after the error.
fn subject_before(around: &TokenContext<'_>, by: isize) -> Option<isize> {
    let is_operand = |word: &str| {
        Keyword::from_word(word)
            .is_some_and(|word| word.class() == KeywordClass::Prefix(OperandLevel::Seven))
            || word == "#"
    };
    let word = around.word(by)?;
    match around.word(by - 1) {
        Some("elo" | "player") if matches!(word, "white" | "black") => Some(by - 1),
        Some(before) if is_operand(before) => Some(by - 1),
        _ if is_compared(word) => Some(by),
        _ => None,
    }
}

/// The help for `subject = value…`.
fn comparison(subject: &str, value: &str) -> String {
    match value.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '"') {
        true => format!("a comparison is written `{subject} == {value}`"),
        false => "a comparison is written `==`".to_owned(),
    }
}

/// Whether the keyword alone is a filter with a value.
fn is_compared(word: &str) -> bool {
    let Some(word) = Keyword::from_word(word) else {
        return false;
    };
    let has_value =
        matches!(word.ty(), Some(Type::Number | Type::String | Type::Set | Type::Position));
    matches!(word.class(), KeywordClass::Search | KeywordClass::Colored)
        || word.class() == KeywordClass::Nullary && has_value
}

/// `result == 1-0`
fn result_without_operator(around: &TokenContext<'_>, span: Span) -> Diagnostic {
    let error = Diagnostic::new(
        Code::ComparedResult,
        span,
        "`result` is not compared: the result itself follows it",
    );
    let result = result_at(around, 1);
    // `result != 1-0`
    let is_negated = matches!(around.word(0), Some("!=" | "≠"));
    let keyword = around.span(-1).filter(|_| is_negated);
    let negated = |result: GameResult| format!("not result {}", result.name());
    let help = match result.filter(|_| is_negated) {
        Some(result) => Help::from(format!("write `{}`", negated(result))),
        None => Help::from(result_help(result)),
    };
    // The operator and the words of the result.
    let words = if around.word(1) == Some("1") && result == Some(GameResult::Draw) { 3 } else { 1 };
    error.with_help(match (result, around.span(words)) {
        (Some(result), Some(last)) => help.with(match keyword {
            Some(keyword) => Fix::replace(keyword.to(last), negated(result)),
            None => Fix::replace(span.to(last), result.name()),
        }),
        (None, _) | (_, None) => help,
    })
}

/// `result draw`, `result 1/2`, `result white`
fn unknown_result(around: &TokenContext<'_>, span: Span) -> Diagnostic {
    let result = result_at(around, 0);
    let is_half = around.word(0) == Some("1") && result == Some(GameResult::Draw);
    let span = if is_half { span.to(around.span(2).unwrap_or(span)) } else { span };
    let error = Diagnostic::unexpected(span, span.text(around.text), "a result");
    let help = Help::from(result_help(result));
    error.with_help(match result {
        Some(result) => help.with(Fix::replace(span, result.name())),
        None => help,
    })
}

fn result_help(result: Option<GameResult>) -> String {
    match result {
        Some(result) => format!("write `result {}`", result.name()),
        None => "the results are `1-0`, `0-1` and `1/2-1/2`".to_owned(),
    }
}

/// The result that is meant by the token `by` places after the error, perhaps with those after it.
fn result_at(around: &TokenContext<'_>, by: isize) -> Option<GameResult> {
    let quoted = around.word(by)?.trim_matches('"').to_ascii_lowercase();
    // `"White wins"`
    let word = match quoted.split_once(' ') {
        Some((color @ ("white" | "black"), "win" | "wins" | "won")) => color,
        Some(("white", "loses" | "lost")) => "black",
        Some(("black", "loses" | "lost")) => "white",
        Some(_) | None => quoted.as_str(),
    };
    let is_half = || around.word(by + 1) == Some("/") && around.word(by + 2) == Some("2");
    match word {
        "draw" | "drawn" | "remis" | "1/2" | "½" | "½-½" => Some(GameResult::Draw),
        "1" if is_half() => Some(GameResult::Draw),
        "win" | "won" | "white" => Some(GameResult::WhiteWins),
        "loss" | "lost" | "black" => Some(GameResult::BlackWins),
        other => GameResult::of_name(other),
    }
}

/// `year between 1950 1960`, `elo white between 2400 and 2500`
fn between_numbers(around: &TokenContext<'_>, span: Span) -> Option<Diagnostic> {
    let place = around.span(subject_before(around, -2)?)?.to(around.span(-2)?);
    let subject = place.text(around.text);
    let low = around.word(0)?;
    let second = if matches!(around.word(1), Some("and" | "to" | "-" | ",")) { 2 } else { 1 };
    let high = around.word(second)?;
    if !is_digits(low) || !is_digits(high) {
        return None;
    }
    let error = Diagnostic::unexpected(span, low, "`(`");
    Some(error.with_help(between(place.to(around.span(second)?), subject, low, high)))
}

/// `attack (R k)`
fn attack_list(around: &TokenContext<'_>, span: Span) -> Diagnostic {
    let error = Diagnostic::unexpected(span, span.text(around.text), "a set of squares before it");
    match (around.word(2), around.word(3), around.word(4)) {
        (Some(attackers), Some(targets), Some(")")) => {
            let place = span.to(around.span(4).unwrap_or(span));
            error.with_help(Help::write(place, format!("{attackers} attacks {targets}")))
        }
        _ => error.with_help("`attacks` stands between two sets, as in `R attacks k`"),
    }
}

/// `(wtm mate)`
fn several_in_parentheses(
    around: &TokenContext<'_>,
    token: &Terminal<'_>,
    span: Span,
) -> Option<Diagnostic> {
    let word = span.text(around.text);
    let begins_filter = word.starts_with(|letter: char| {
        letter.is_ascii_alphanumeric() || "[({\"_.~#$".contains(letter)
    });
    if !begins_filter || matches!(word, "then" | "else") {
        return None;
    }
    let open = around.opening()?;
    if around.word(open) != Some("(") {
        return None;
    }
    // `relation (K k)`
    let before = around.word(open - 1).unwrap_or_default();
    if let Some(synonym) = synonyms::find(before) {
        let place = around.span(open - 1)?;
        let error = Diagnostic::unknown_name(place, before);
        return Some(error.with_help(synonym.help(place)));
    }
    // `(K attaks k)`
    if let Terminal::Name(name) = token
        && around.text.matches(name).count() == 1
        && let Some(near) = suggest::nearest(name, Vec::new())
    {
        let error = Diagnostic::unknown_name(span, name);
        return Some(error.with_help(Help::did_you_mean(span, &near)));
    }
    let start = around.span(open)?;
    let touches = around.span(open - 1).is_some_and(|before| before.end == start.start);
    let close = around.closing(open).and_then(|close| around.span(close));
    let content = close.and_then(|close| around.text.get(start.end as usize..close.start as usize));
    let is_shown = |text: &&str| !touches && !text.contains('\n') && text.len() <= MAX_REPEATED;
    let rule = "parentheses hold one filter; for several use `{ }`";
    let help = match content.filter(is_shown) {
        Some(content) => format!("{rule}: write `{{{content}}}`"),
        None => rule.to_owned(),
    };
    let braces = close
        .filter(|_| !touches)
        .map(|close| Fix::edit("write braces", vec![Edit::new(start, "{"), Edit::new(close, "}")]));
    let help = Help { fixes: braces.into_iter().collect(), ..Help::from(help) };
    Some(Diagnostic::unexpected(span, word, "`)`").with_help(help))
}

/// `result == 1-0`, `year >= 1920 and <= 1930`
fn half_a_comparison(around: &TokenContext<'_>, span: Span) -> Option<Diagnostic> {
    if around.word(-1) == Some("result") {
        return Some(result_without_operator(around, span));
    }
    let joins = matches!(around.word(-1), Some("and" | "or"));
    let subject = around.word(-4).filter(|word| is_compared(word));
    let is_comparison = matches!(around.word(-3), Some("==" | "!=" | "<" | "<=" | ">" | ">="));
    let (true, true, Some(subject)) = (joins, is_comparison, subject) else {
        return None;
    };
    let (operator, value) = (around.word(0)?, around.word(1)?);
    let error =
        Diagnostic::new(Code::MissingOperand, span, format!("`{operator}` has no left operand"));
    let fix = Fix::replace(Span::new(span.start, span.start), format!("{subject} "));
    let help = Help::from(format!("write `{subject} {operator} {value}`"));
    Some(error.with_help(help.with(fix)))
}

/// `if year 1920 then …`
fn condition_of_two(around: &TokenContext<'_>, span: Span) -> Option<Diagnostic> {
    let (subject, value) = (around.word(-2)?, around.word(-1)?);
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || !is_compared(subject) {
        return None;
    }
    let error =
        Diagnostic::new(Code::CompoundCondition, span, "the condition of `if` is one filter");
    let query = format!("{subject} == {value}");
    let help = Help::from(format!("to compare the two, write `{query}`"));
    let place = around.span(-2)?.to(around.span(-1)?);
    Some(error.with_help(help.with(Fix::replace(place, query))))
}

/// The error for a word that is a piece designator in the place of a name; `value` is what the
/// operator `=` in this place assigns.
fn not_a_name(
    text: &str,
    span: Span,
    operator: Option<Span>,
    value: Option<&str>,
) -> Option<Diagnostic> {
    let word = span.text(text);
    let is_word =
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_word || !is_designator(word) {
        return None;
    }
    let error = Diagnostic::new(
        Code::DesignatorAsName,
        span,
        format!("`{word}` is a piece designator and cannot be a name"),
    );
    let value = value.filter(|_| word.starts_with(|letter: char| letter.is_ascii_uppercase()));
    Some(error.with_help(match value {
        Some(value) => {
            let name = format!("choose another name, for example `my{word}`");
            let help = Help::from(format!("{name}; {}", comparison(word, value)));
            match operator {
                Some(operator) => help.with(Fix::replace(operator, "==")),
                None => help,
            }
        }
        None => Help::from(format!(
            "choose another name, for example `my{}`",
            word.to_ascii_uppercase()
        )),
    }))
}

/// The error for a malformed `dictionary int --> str D`.
fn dictionary(around: &TokenContext<'_>) -> Option<Diagnostic> {
    const AS_IN: &str = "as in `dictionary int --> str D`";
    let begin = (-3..=0).rev().find(|&by| around.word(by) == Some("dictionary"))?;
    let (key, arrow, value) = (begin + 1, begin + 2, begin + 3);
    let is_type = |at: isize| around.word(at).and_then(TypeName::named).is_some();
    let word = |at: isize| around.word(at).unwrap_or_default();
    let no_arrow = || {
        let place = around.span(arrow)?;
        let fix = match word(arrow) {
            "->" | "→" => Fix::replace(place, "-->").certain(),
            _ => Fix::replace(Span::new(place.start, place.start), "--> "),
        };
        let error = Diagnostic::unexpected(place, word(arrow), "`-->`");
        Some(error.with_help(Help::from(AS_IN).with(fix)))
    };
    let no_type = |at: isize, of: &str| {
        let message = format!("`{}` is not a type of {of}", word(at));
        let error = Diagnostic::new(Code::UnknownEntryType, around.span(at)?, message);
        Some(error.with_help(format!("the types are {TYPES}, {AS_IN}")))
    };
    match around.word(arrow) {
        Some("->" | "→") => no_arrow(),
        Some("-->") if !is_type(key) => no_type(key, "keys"),
        Some("-->") if !is_type(value) => no_type(value, "values"),
        Some(_) if is_type(key) => no_arrow(),
        _ => None,
    }
}

/// The change of the depth by a token: 1 for an opening bracket, -1 for a closing one.
fn brackets(word: &str) -> i32 {
    match word {
        "(" | "{" | "[" => 1,
        ")" | "}" | "]" => -1,
        _ => 0,
    }
}

/// The tokens around an error.
struct TokenContext<'a> {
    /// The text up to the end of the part.
    text: &'a str,
    places: &'a [Span],
    at: usize,
}

impl<'a> TokenContext<'a> {
    /// The span of the token `by` places after the erroneous one.
    fn span(&self, by: isize) -> Option<Span> {
        self.places.get(self.at.checked_add_signed(by)?).copied()
    }

    fn word(&self, by: isize) -> Option<&'a str> {
        self.span(by).map(|span| span.text(self.text))
    }

    /// The place of the opening bracket around the error, relative to it.
    fn opening(&self) -> Option<isize> {
        let mut depth = 0;
        (1..).map(|by: isize| -by).map_while(|by| Some((by, self.word(by)?))).find_map(
            |(by, word)| {
                depth += brackets(word);
                (depth > 0).then_some(by)
            },
        )
    }

    /// The place of the bracket that closes the one at `open`.
    fn closing(&self, open: isize) -> Option<isize> {
        let mut depth = 0;
        (open..).map_while(|by| Some((by, self.word(by)?))).find_map(|(by, word)| {
            depth += brackets(word);
            (depth == 0).then_some(by)
        })
    }
}
