//! A hint after a search for a text in a tag that found nothing: the games have it in another form.

use babson::command::{
    OtherSpelling, PlainAlternatives, SearchedTag, other_spellings, plain_alternatives,
};
use babson::{Input, Query};

use crate::config::SearchConfig;
use crate::limits::MAX_NAMES_SEARCHED;
use crate::show_name::ShowName as _;
use crate::terminal;

/// Tells of each text that the queries look for in a tag and that the games have with other
/// capitals, as a part of the tag, or with the last name of a player first; and of texts that may
/// be meant as regular expressions.
/// The inputs are read again, unless they are long or come over a network, not all of them were
/// searched, or nothing but results is shown.
pub(crate) fn tell(config: &SearchConfig, queries: &[Query], inputs: &[Input]) {
    if config.run.console.no_summary {
        return;
    }
    let mut told = Vec::new();
    for one in queries.iter().flat_map(plain_alternatives) {
        let PlainAlternatives { filter, text, .. } = &one;
        let line = format!(
            "babson: the text '{0}' is not a regular expression: `{filter} ~~ \"{0}\"` looks for \
             its alternatives",
            text.shown()
        );
        if !told.contains(&line) {
            terminal::error_line(&line);
            told.push(line);
        }
    }
    let length: u64 = inputs.iter().filter_map(Input::size).sum();
    let is_remote = inputs.iter().any(|input| matches!(input, Input::Remote(_)));
    if config.inputs.range.is_some() || length > MAX_NAMES_SEARCHED || is_remote {
        return;
    }
    for query in queries {
        // A failure to read has been told by the search.
        for one in other_spellings(query, inputs, config.run.threads()).unwrap_or_default() {
            let line = line(&one);
            if !told.contains(&line) {
                terminal::error_line(&line);
                told.push(line);
            }
        }
    }
}

fn line(one: &OtherSpelling) -> String {
    let OtherSpelling { text, spelling, games, reordered, .. } = one;
    let tag = match &one.tag {
        SearchedTag::Player => "player's name".to_owned(),
        SearchedTag::Tag(tag) => match tag.as_str() {
            "Event" => "event".to_owned(),
            "Site" => "site".to_owned(),
            "ECO" => "ECO code".to_owned(),
            _ => format!("tag {tag}"),
        },
    };
    let (verb, why) = match one.whole {
        true => ("is", "`==` compares the whole text, with its capitals"),
        false => ("contains", "capitals and small letters differ"),
    };
    let why = if *reordered { "the last name stands first" } else { why };
    let games = match (games, one.whole && !reordered) {
        (1, false) => "1 game has".to_owned(),
        (_, false) => format!("{games} games have"),
        (1, true) => "1 game contains it, as".to_owned(),
        (_, true) => format!("{games} games contain it, as"),
    };
    let (text, spelling) = (text.shown(), spelling.shown());
    format!("babson: no {tag} {verb} '{text}', but {games} '{spelling}': {why}")
}
