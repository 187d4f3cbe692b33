//! `babson cookbook [TOPIC] [DB...]`: lists recipes, prints one, or searches databases with one.

use std::ffi::OsString;

use babson::command::terminal::Shown;

use super::help::topic_page;
use crate::cookbook::Recipe;
use crate::failure::Failure;
use crate::options::{self, CommandLine, OptionId};
use crate::query::QueryFile;
use crate::run;
use crate::terminal;

/// Lists all recipes or the recipes of a topic, prints the only one, or runs it on databases.
pub(crate) fn cookbook(line: &CommandLine) -> Result<u8, Failure> {
    let words = line.texts()?;
    if !line.has(OptionId::Input)
        && let Some(option) = line.options.iter().find(|option| !option.is_default)
        && ![OptionId::NoConfig, OptionId::Color, OptionId::AnsiColors]
            .iter()
            .any(|&id| option.is(id))
    {
        return Err(Failure::Usage(format!(
            "--{} is an option of a search: name a database, as in babson cookbook mate GAMES.pgn",
            option.written
        )));
    }
    let topic = words.join(" ");
    if topic.is_empty() {
        // A database without a topic would be ignored.
        return match line.option(OptionId::Input) {
            Some(_) => Err(Failure::Usage(format!("which recipe? {}", line.command.usage()))),
            None => terminal::print_text(&list(Recipe::all())),
        };
    }
    let topic = topic.as_str();
    let count = Recipe::all().count();
    let is_number = topic.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && !topic.parse::<usize>().is_ok_and(|number| (1..=count).contains(&number)) {
        return Err(Failure::Usage(format!(
            "no recipe of the cookbook has the number {topic}: the recipes are 1 to {count}"
        )));
    }
    let recipes = Recipe::of_topic(topic);
    match (recipes.as_slice(), line.has(OptionId::Input)) {
        ([], _) => {
            let help = match topic_page(topic) {
                Some(_) => format!("babson help {topic} prints what the book has on it"),
                None => "babson cookbook lists them all".to_owned(),
            };
            let topic = Shown(topic);
            Err(Failure::Usage(format!(
                "no recipe of the cookbook is about '{topic}'; {}",
                Shown(&help)
            )))
        }
        ([recipe], true) => search(line, recipe),
        ([recipe], false) => terminal::print_text(&recipe.text()),
        (recipes, false) => terminal::print_text(&list(recipes.iter().copied())),
        (recipes, true) => Err(Failure::Usage(format!(
            "'{topic}' is the topic of {} recipes; name one by its number:\n{}",
            recipes.len(),
            recipes.iter().map(Recipe::line).collect::<String>().trim_end()
        ))),
    }
}

/// The lines of recipes, in the groups of their pages.
fn list(recipes: impl Iterator<Item = Recipe>) -> String {
    let mut out = String::new();
    let mut page = "";
    for recipe in recipes {
        if recipe.page != page {
            page = recipe.page;
            out.push_str(&format!("{page}:\n"));
        }
        out.push_str(&recipe.line());
    }
    out + "\nbabson cookbook NUMBER prints a recipe, babson cookbook NUMBER GAMES.pgn runs it.\n"
}

/// Searches the databases with the query of the recipe and its options. Those of the command line
/// go before them.
fn search(line: &CommandLine, recipe: &Recipe) -> Result<u8, Failure> {
    let needed = options::search_options(recipe.options().into_iter().map(OsString::from))?;
    if recipe.searches_several() {
        return Err(Failure::Usage(format!(
            "recipe {} searches several databases together: babson cookbook {0} prints it",
            recipe.number
        )));
    }
    let mut options = needed;
    options.extend(line.options.iter().cloned());
    let line = CommandLine { command: line.command, options, operands: Vec::new() };
    run::run_query(&line, QueryFile::of_text(&format!("recipe {}", recipe.number), recipe.query))
}
