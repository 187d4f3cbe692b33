//! The recipes of the cookbook: the sections of the pages of `docs/src/cookbook`.
//!
//! A recipe has a question as its heading, a `cql` block, a line `⇒ …` with the result on a
//! database of the corpus, and the sentences that explain the query.

use std::ops::RangeInclusive;

use babson_book::COOKBOOK;

use crate::other_words::{mentions_all, other_word, words};

/// Words of questions that are about anything.
const ABOUT_ANYTHING: [&str; 87] = [
    "across",
    "after",
    "against",
    "allows",
    "although",
    "another",
    "away",
    "because",
    "become",
    "beginning",
    "behind",
    "belong",
    "between",
    "black",
    "board",
    "both",
    "colored",
    "could",
    "does",
    "each",
    "ended",
    "even",
    "exactly",
    "fewest",
    "five",
    "followed",
    "four",
    "from",
    "game",
    "games",
    "gave",
    "given",
    "have",
    "itself",
    "last",
    "left",
    "less",
    "made",
    "makes",
    "many",
    "match",
    "more",
    "most",
    "move",
    "moves",
    "much",
    "neither",
    "next",
    "nobody",
    "nothing",
    "number",
    "often",
    "once",
    "only",
    "other",
    "over",
    "piece",
    "pieces",
    "played",
    "player",
    "players",
    "position",
    "positions",
    "same",
    "several",
    "side",
    "sides",
    "than",
    "that",
    "their",
    "then",
    "there",
    "this",
    "three",
    "time",
    "twenty",
    "went",
    "were",
    "what",
    "where",
    "wherever",
    "which",
    "white",
    "whose",
    "with",
    "within",
    "would",
];

/// A recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recipe {
    /// Its number, from 1, in the order of the book.
    pub(crate) number: usize,
    /// The title of its page.
    pub(crate) page: &'static str,
    pub(crate) question: &'static str,
    pub(crate) query: &'static str,
    /// The line with the result, without the arrow, in Markdown.
    result: &'static str,
    /// The paragraphs that explain the query, in Markdown.
    explanation: &'static str,
    /// The first command that the book runs for it, if there is one.
    command: Option<&'static str>,
}

impl Recipe {
    /// All recipes.
    pub(crate) fn all() -> impl Iterator<Item = Recipe> {
        let recipes = COOKBOOK.iter().flat_map(|page| {
            let page = page.text;
            let title = page.trim_start_matches("# ").lines().next().unwrap_or_default();
            page.split("\n## ").skip(1).filter_map(move |text| Recipe::parse(title, text))
        });
        recipes.enumerate().map(|(index, recipe)| Recipe { number: index + 1, ..recipe })
    }

    /// The recipe of a section of a page.
    fn parse(page: &'static str, text: &'static str) -> Option<Recipe> {
        let (question, _) = text.split_once('\n')?;
        let (_, block) = text.split_once("```cql")?;
        // The information of the block may name a file, as in `cql,copies.cql`.
        let (_, block) = block.split_once('\n')?;
        let (query, rest) = block.split_once("\n```")?;
        let (_, rest) = rest.split_once("⇒ ")?;
        let (result, rest) = rest.split_once('\n')?;
        let explanation = rest.split_once("```").map_or(rest, |(before, _)| before).trim();
        let console = text.split_once("```console\n$ ");
        let command = console.and_then(|(_, lines)| lines.lines().next());
        Some(Recipe { number: 0, page, question, query, result, explanation, command })
    }

    /// The recipes of a topic: those that [`Recipe::named`] finds for it, or for another word for
    /// the same; or the recipes whose question or explanation mentions it.
    pub(crate) fn of_topic(topic: &str) -> Vec<Recipe> {
        let named = Recipe::named(topic);
        if !named.is_empty() {
            return named;
        }
        let others = match other_word(topic) {
            Some(other) => other.to_owned(),
            None => {
                let other = |word: String| other_word(&word).map_or(word, str::to_owned);
                words(topic).map(other).collect::<Vec<String>>().join(" ")
            }
        };
        let others = Recipe::named(&others);
        let explains = |recipe: &Recipe| {
            has_all(&format!("{} {}", recipe.question, recipe.explanation), topic)
        };
        first_found(&[
            &|recipe| others.contains(recipe),
            &|recipe| mentions_all(recipe.question, topic),
            &explains,
        ])
    }

    /// The recipes that the topic names: the recipe of this number or with this question; or the
    /// recipes of the page with this title; or the recipes whose question has all words of the
    /// topic; or the recipes of a page whose title mentions it.
    pub(crate) fn named(topic: &str) -> Vec<Recipe> {
        let plain = |text: &str| text.trim_end_matches('?').to_lowercase();
        let topic_plain = plain(topic);
        first_found(&[
            &|recipe| topic == recipe.number.to_string() || topic_plain == plain(recipe.question),
            &|recipe| topic_plain == plain(recipe.page),
            &|recipe| has_all(recipe.question, topic),
            &|recipe| mentions_all(recipe.page, topic),
        ])
    }

    /// The words that a shell offers as topics: the long words of the titles of pages and of
    /// questions, without words that are about anything.
    pub(crate) fn topics() -> Vec<String> {
        const LEAST: usize = 6;
        let texts = Recipe::all().flat_map(|recipe| [recipe.page, recipe.question]);
        let is_topic = |word: &String| {
            word.len() >= LEAST
                && word.bytes().all(|letter| letter.is_ascii_lowercase())
                && !ABOUT_ANYTHING.contains(&word.as_str())
        };
        let mut topics: Vec<String> = texts.flat_map(words).filter(is_topic).collect();
        // Short titles of one word, such as Mates.
        let titles = Recipe::all().map(|recipe| recipe.page.to_lowercase());
        topics.extend(titles.filter(|title| !title.contains(' ')));
        topics.sort();
        topics.dedup();
        topics
    }

    /// The words of the options with which the query is to be run.
    pub(crate) fn options(&self) -> Vec<&'static str> {
        let (_, options) = self.result.split_once("` with `").unwrap_or_default();
        options.split('`').next().unwrap_or_default().split_whitespace().collect()
    }

    /// One line that names the recipe in a list.
    pub(crate) fn line(&self) -> String {
        format!("{:>5}  {}\n", self.number, self.question)
    }

    /// Whether it searches several databases together: its options name more of them.
    pub(crate) fn searches_several(&self) -> bool {
        self.options().contains(&"-i")
    }

    /// The options with which the command of the book runs the query on one database, as they are
    /// written there; `None` if it has none, or runs something else.
    fn options_of_command(&self) -> Option<String> {
        let (options, query) = self.command?.strip_prefix("babson -i ")?.split_once(" --cql '")?;
        let is_own = query.strip_suffix('\'')?.split_whitespace().eq(self.query.split_whitespace());
        let (_, options) = options.split_once(' ')?;
        let options: Vec<&str> = options.split(' ').filter(|word| *word != "-q").collect();
        (is_own && !options.is_empty() && !options.contains(&"-i")).then(|| options.join(" "))
    }

    /// The whole recipe, the command that the book runs, and the one that runs it on a database.
    pub(crate) fn text(&self) -> String {
        let Recipe { number, page, question, query, .. } = self;
        let mut text = format!(
            "{question}\n({page}, recipe {number})\n\n{query}\n\nOn the games of the corpus: {}.\n\n{}\n",
            without_links(self.result).replace('`', ""),
            without_links(self.explanation),
        );
        if let Some(command) = self.command {
            text.push_str(&format!("\nThe book runs: {command}\n"));
        }
        if self.searches_several() {
            return text;
        }
        if let Some(options) = self.options_of_command() {
            text.push_str(&format!(
                "\nOn a database: babson cookbook {number} GAMES.pgn {options}\n"
            ));
        }
        text.push_str(&format!(
            "\nbabson cookbook {number} GAMES.pgn counts the matching games of a database; \
             with -o FILE.pgn it writes them.\n"
        ));
        text
    }
}

/// The recipes that the first of the rules finds, if it finds any, or else the next one.
fn first_found(rules: &[&dyn Fn(&Recipe) -> bool]) -> Vec<Recipe> {
    let mut found = rules.iter().map(|rule| Recipe::all().filter(rule).collect::<Vec<Recipe>>());
    found.find(|recipes| !recipes.is_empty()).unwrap_or_default()
}

/// Whether a text has all words of a topic, in any order.
fn has_all(text: &str, topic: &str) -> bool {
    let found: Vec<String> = words(text).collect();
    let mut wanted = words(topic).peekable();
    wanted.peek().is_some() && wanted.all(|word| found.contains(&word))
}

/// The text with the titles of its links alone: `[title](address)`.
fn without_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['[', '`']) {
        let (before, marked) = rest.split_at(at);
        out.push_str(before);
        // A bracket in code is one of CQL, such as `[Nn]`. The title of a link may have code.
        let end = match marked.starts_with('`') {
            true => marked[1..].find('`').map_or(marked.len(), |end| end + 2),
            false => match link(marked) {
                Some((title, after)) => {
                    out.push_str(title);
                    rest = after;
                    continue;
                }
                None => 1,
            },
        };
        let (code, after) = marked.split_at(end);
        out.push_str(code);
        rest = after;
    }
    out + rest
}

/// The title of the link that a text begins with, and the text after the link.
fn link(text: &str) -> Option<(&str, &str)> {
    let (title, after) = text.strip_prefix('[')?.split_once("](")?;
    let (_, after) = after.split_once(')')?;
    (!title.contains('[')).then_some((title, after))
}

/// The command that prints what the book has on a word that is not a word of the language: recipes
/// whose question has the word, or another word for the same, unless there are more than a few.
pub(crate) fn command_for(word: &str) -> Option<String> {
    const FEW: RangeInclusive<usize> = 1..=6;
    // Shorter words are names of variables.
    let is_word = word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    if !is_word || ABOUT_ANYTHING.contains(&word.to_ascii_lowercase().as_str()) {
        return None;
    }
    let other = other_word(word);
    let mut named = Recipe::named(word);
    if named.is_empty() {
        named = other.map_or(Vec::new(), Recipe::named);
    }
    if FEW.contains(&named.len()) {
        return Some(format!("babson cookbook {word}"));
    }
    let is_mentioned = !named.is_empty() || other.is_some();
    is_mentioned.then(|| format!("babson help {word}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use babson::Query;

    /// The first page lists the recipes in the same order, and each query compiles.
    #[test]
    fn every_recipe_of_the_book_is_there() {
        let index = babson_book::COOKBOOK_INDEX.text;
        let listed: Vec<&str> = index
            .lines()
            .filter_map(|line| Some(line.strip_prefix("- [")?.split_once("](")?.0))
            .collect();
        let recipes: Vec<Recipe> = Recipe::all().collect();
        let questions: Vec<&str> = recipes.iter().map(|recipe| recipe.question).collect();
        assert_eq!(questions, listed);
        for recipe in recipes {
            let needs_variable = recipe.options().contains(&"--assign");
            let compiles = Query::compile(recipe.query).is_ok();
            assert!(compiles || needs_variable, "{}", recipe.question);
            assert!(!recipe.explanation.is_empty(), "{}", recipe.question);
        }
    }

    #[test]
    fn a_topic_is_a_number_a_question_or_words() {
        let numbers = |topic: &str| {
            Recipe::of_topic(topic).iter().map(|recipe| recipe.number).collect::<Vec<_>>()
        };
        let [windmill] = Recipe::of_topic("Windmill")[..] else { panic!("one windmill") };
        assert_eq!(numbers(&windmill.number.to_string()), [windmill.number]);
        assert_eq!(numbers(windmill.question), [windmill.number]);
        assert_eq!(numbers("rook windmill"), [windmill.number]);
        assert!(numbers("mate").len() > 5);
        // The title of a page, in any case.
        let mates: Vec<usize> = Recipe::all()
            .filter(|recipe| recipe.page == "Mates")
            .map(|recipe| recipe.number)
            .collect();
        assert!(mates.len() > 10);
        assert_eq!(numbers("Mates"), mates);
        assert_eq!(numbers("mates"), mates);
        // A word of a title that no question has.
        assert!(numbers("structures").len() > 5);
        // Another word.
        assert_eq!(numbers("iqp"), numbers("isolated"));
        assert_eq!(numbers("isolani").len(), 1);
        // A synonym of the language, and other words for several.
        assert_eq!(numbers("checkmate"), numbers("mate"));
        assert_eq!(numbers("greek gift").len(), 1);
        // Only an explanation has the word.
        assert!(!numbers("allumwandlung").is_empty());
        assert!(numbers("xyzzy").is_empty());
        assert!(numbers("?").is_empty());
    }

    /// The command of the book is printed, and its options with the query of the recipe.
    #[test]
    fn the_command_of_the_book_is_printed() {
        let mut commands = 0;
        for recipe in Recipe::all() {
            let text = recipe.text();
            if let Some(command) = recipe.command {
                commands += 1;
                assert!(command.starts_with("babson "), "{}", recipe.question);
                assert!(text.contains(&format!("The book runs: {command}\n")), "{text}");
            }
            let Some(options) = recipe.options_of_command() else { continue };
            // Quotes are around names of files only.
            let words = options.split(' ').map(|word| word.replace('\'', "").into());
            assert!(crate::options::search_options(words).is_ok(), "{text}");
        }
        assert!(commands > 15, "{commands}");
        let [opening] = Recipe::of_topic("won drawn lost opening")[..] else { panic!("one") };
        let line = format!(
            "\nOn a database: babson cookbook {} GAMES.pgn --group eco:1\n",
            opening.number
        );
        assert!(opening.text().contains(&line), "{}", opening.text());
    }

    /// An unknown word leads to recipes whose question has it.
    #[test]
    fn a_word_of_a_query_has_a_recipe_in_its_question() {
        for word in ["queenside", "colored", "pair", "length", "White", "with", "number"] {
            assert_eq!(command_for(word), None, "{word}");
        }
        assert_eq!(command_for("zugzwang").as_deref(), Some("babson cookbook zugzwang"));
    }

    #[test]
    fn every_topic_of_the_completions_has_recipes() {
        let topics = Recipe::topics();
        for topic in ["mates", "windmill", "zugzwang", "smothered", "sacrifices", "structures"] {
            assert!(topics.iter().any(|known| known == topic), "{topic}");
        }
        for topic in topics {
            assert!(!Recipe::of_topic(&topic).is_empty(), "{topic}");
        }
    }

    #[test]
    fn links_are_titles_and_brackets_of_cql_stay() {
        assert_eq!(without_links("a [model mate](#model-mate) and"), "a model mate and");
        assert_eq!(without_links("`[Nn]` or `[Pp]--=[Qq]`"), "`[Nn]` or `[Pp]--=[Qq]`");
        assert_eq!(without_links("`[Nn]` and [a](b)"), "`[Nn]` and a");
        assert_eq!(without_links("[`--unique`](b), [Nn]"), "`--unique`, [Nn]");
        assert!(Recipe::all().all(|recipe| !recipe.text().contains("](")));
    }
}
