//! The options that become a part of the query.

use babson::{cql3, text};

/// What the program needs to know of an option besides its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum OptionClass {
    /// Nothing.
    #[default]
    Setting,
    /// It decides which parts of a game are written, and in which layout or with which marks. A
    /// game table heeds none of these options.
    Layout,
    /// It is the query, or filters that precede the query file.
    Query,
    /// It is a filter that chooses games by their tags.
    GameChoice,
    /// It is another filter.
    Filter,
    /// It is the FEN with which the matching positions are compared.
    Like,
    /// It sets a variable of the query.
    Variable,
    /// It transforms the whole query.
    Transform,
    /// It prints or converts a query instead of searching with it.
    Inspection,
    /// It is about one command line, and makes default options unnecessary.
    Information,
}

impl OptionClass {
    /// Whether the option is a filter, so that no query file is needed.
    pub(crate) fn is_filter(self) -> bool {
        use OptionClass::{Filter, GameChoice, Like, Query};
        matches!(self, Query | GameChoice | Filter | Like)
    }
}

/// An option that becomes a part of the query.
#[derive(Clone, Debug)]
pub(crate) struct OptionFilter {
    /// The usual name of the option.
    pub(crate) name: &'static str,
    pub(crate) class: OptionClass,
    /// Whether it comes from the file of default options.
    pub(crate) is_default: bool,
    /// The words after the option.
    pub(crate) words: Vec<String>,
    /// Its text, or why it has none, without the name of the option. Of several queries each
    /// reports it, so it is not an error of the command line.
    pub(super) template: Result<Template, String>,
}

impl OptionFilter {
    /// Its text.
    ///
    /// # Errors
    /// The words of the option cannot be written as a filter.
    pub(crate) fn template(&self) -> Result<&Template, String> {
        self.template.as_ref().map_err(|why| format!("--{}: {why}", self.name))
    }

    /// Whether it is a query of CQL 3.
    pub(crate) fn is_cql3(&self) -> bool {
        self.class == OptionClass::Query
            && self.words.first().is_some_and(|it| cql3::begins_query(it))
    }
}

/// The text that an option is expanded to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Template(pub(crate) Vec<TemplateSegment>);

#[derive(Clone, Debug)]
pub(crate) enum TemplateSegment {
    Generated(String),
    /// A word after the option, as it was written.
    Word(usize),
}

impl Template {
    /// The template that begins with this text.
    pub(crate) fn new(text: &str) -> Template {
        Template::default().generated(text)
    }

    fn generated(mut self, text: &str) -> Template {
        self.0.push(TemplateSegment::Generated(text.to_owned()));
        self
    }

    pub(crate) fn word(mut self, which: usize) -> Template {
        self.0.push(TemplateSegment::Word(which));
        self
    }

    /// A word in quotes, where the language accepts only a literal string.
    pub(crate) fn quoted(self, which: usize, word: &str) -> Result<Template, String> {
        match word.contains(['"', '\n']) {
            true => Err("a text with a quotation mark or a line end cannot be searched".to_owned()),
            false => Ok(self.generated("\"").word(which).generated("\"")),
        }
    }

    /// A word as an expression with the word as its value.
    fn text(self, which: usize, word: &str) -> Template {
        match word.contains(['"', '\n']) {
            true => self.generated(&text::string(word)),
            false => self.generated("\"").word(which).generated("\""),
        }
    }

    /// A plain text in a tag: `event "T"` refuses what looks like a regular expression.
    pub(crate) fn in_tag(tag: &str, text: &str) -> Template {
        Template::default().text(0, text).generated(&format!(" in {tag}"))
    }
}

/// `--player`
pub(crate) fn player(name: String) -> Result<Template, String> {
    let white = Template::new("player white ~~ ").quoted(0, &name)?;
    white.generated(" or player black ~~ ").quoted(0, &name)
}

/// `--result`
pub(crate) fn result(word: String) -> Result<Template, String> {
    match word.as_str() {
        "1-0" | "0-1" | "1/2-1/2" => Template::new("result ").quoted(0, &word),
        _ => Err(format!("'{word}' is not 1-0, 0-1 or 1/2-1/2")),
    }
}

/// `--similarposition`: words of the filter, then the file.
pub(crate) fn similar_position((flags, file): (Vec<String>, String)) -> Result<Template, String> {
    let made = Template::new("similarposition ");
    let made = (0..flags.len()).fold(made, |made, flag| made.word(flag).generated(" "));
    made.quoted(flags.len(), &file)
}

/// `--hhdb`
pub(crate) fn hhdb(words: Vec<String>) -> Result<Template, String> {
    let key = words.join(" ");
    // A key like `(c)` or `<cook>` is written as a string.
    let is_plain_letter =
        |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ' ' | '"');
    let plain = key.chars().all(is_plain_letter);
    if !plain && key.contains(['"', '\n']) {
        return Err(format!("'{key}' is not a key"));
    }
    let mut made = Template::new(if plain { "hhdb " } else { "hhdb \"" });
    for which in 0..words.len() {
        made = made.generated(if which == 0 { "" } else { " " }).word(which);
    }
    Ok(if plain { made } else { made.generated("\"") })
}

/// `--assign`
pub(crate) fn assign([name, value]: [String; 2]) -> Result<Template, String> {
    if !text::is_variable_name(&name) {
        return Err(format!("'{name}' is not the name of a variable"));
    }
    let made = Template::default().word(0).generated(" = ");
    Ok(match value.parse::<i64>() {
        Ok(number) => made.generated(&number.to_string()),
        Err(_) => made.text(1, &value),
    })
}
