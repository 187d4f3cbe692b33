//! What the options of a command line set: the configurations of the inputs, of the outputs and of
//! the run.
//!
//! Each row of `options/table.rs` says what its option does to a [`ConfigBuilder`]. Nothing changes
//! the configurations that it makes.

mod filter;
mod inputs;
mod outputs;
mod reading;
mod run;

use std::ffi::OsString;

use babson::Dialect;
use babson::compile::CommentLevel;
use babson::report::PageLayout;
use babson::text::Spelling;

pub(crate) use filter::{
    OptionClass, OptionFilter, Template, TemplateSegment, assign, hhdb, player, result,
    similar_position,
};
pub(crate) use inputs::{InputConfig, bytes};
pub(crate) use outputs::{Counting, OutputConfig, destination, format, pattern};
pub(crate) use reading::{ColorChoice, ReadingOptions};
pub(crate) use run::{
    CommandConfig, ConvertTarget, QueryConversion, RunConfig, ShowMode, target, variant,
};

/// The configurations that the options of a command line set.
pub(crate) struct SearchConfig {
    pub(crate) inputs: InputConfig,
    pub(crate) outputs: OutputConfig,
    pub(crate) run: RunConfig,
}

impl SearchConfig {
    /// The configurations of a search for which nothing names an output.
    pub(crate) fn counting(mut self) -> SearchConfig {
        self.outputs.counting = Counting::ByDefault;
        self
    }
}

/// An option as it was written.
#[derive(Debug, Default)]
pub(crate) struct WrittenOption {
    /// Its usual name.
    pub(crate) name: &'static str,
    /// The name that was written, in lower case.
    pub(crate) written: String,
    /// The words after it.
    pub(crate) words: Vec<String>,
    pub(crate) class: OptionClass,
    /// Whether it comes from the file of default options.
    pub(crate) is_default: bool,
}

/// The configurations while the options are read, in their order: the last one of a kind counts.
#[derive(Default)]
pub(crate) struct ConfigBuilder {
    pub(crate) inputs: InputConfig,
    pub(crate) outputs: OutputConfig,
    pub(crate) run: RunConfig,
    /// The option that is read.
    option: WrittenOption,
    /// The levels of comments that the command line itself names.
    levels: Vec<CommentLevel>,
    /// Whether the command line itself has `--group`.
    names_groups: bool,
}

impl ConfigBuilder {
    /// Begins with the next option.
    pub(crate) fn begin(&mut self, option: WrittenOption) {
        if option.class == OptionClass::Layout && !option.is_default {
            self.outputs.layout_options.push(format!("--{}", option.written));
        }
        self.option = option;
    }

    /// Whether the command line itself has the option, not the file of default options.
    fn is_written(&self) -> bool {
        !self.option.is_default
    }

    /// Makes the option a part of the query.
    pub(crate) fn filter(&mut self, template: Result<Template, String>) {
        let WrittenOption { name, class, is_default, ref mut words, .. } = self.option;
        let words = std::mem::take(words);
        self.run.reading.filters.push(OptionFilter { name, class, is_default, words, template });
    }

    /// Makes the option a transform of the query, which has the name of the option.
    pub(crate) fn transform(&mut self, (): ()) {
        self.filter(Ok(Template::new(self.option.name)));
    }

    /// `--virtualmainline`
    pub(crate) fn virtual_main_line(&mut self, (): ()) {
        self.run.options.variations = Some(true);
        self.filter(Ok(Template::new("virtualmainline")));
    }

    /// `--dialect`
    pub(crate) fn dialect(&mut self, word: String) -> Result<(), String> {
        let dialect = Dialect::named(&word);
        let dialect = dialect.ok_or_else(|| format!("'{word}' is neither cqli nor cql6"))?;
        match self.is_written() {
            true => self.run.reading.named = Some(dialect),
            false => self.run.reading.default = Some(dialect),
        }
        Ok(())
    }

    /// `--quiet` and `--silent`
    pub(crate) fn comments(&mut self, level: CommentLevel) {
        self.run.options.comment_level = level;
        self.levels.extend(self.is_written().then_some(level));
    }

    /// `--append`, which is a conversion in CQL 6.2 as `-a`.
    pub(crate) fn append(&mut self, file: OsString) {
        if self.option.written == "a" {
            self.run.conversions.push((QueryConversion::InPlace(Spelling::Ascii), file.clone()));
        }
        self.outputs.appends.push(file);
    }

    /// `--columns`
    pub(crate) fn columns(&mut self, word: String) -> Result<(), String> {
        self.outputs.columns = Some(outputs::columns(&word)?);
        self.outputs.wants_columns |= self.is_written();
        Ok(())
    }

    /// `--sortmatchcount`. Its range, if it has one, also sets `--matchcount`.
    pub(crate) fn sort_match_count(&mut self, range: Option<(i64, i64)>) {
        self.run.sort_match_count = true;
        self.run.options.match_count = range.map(positions).or(self.run.options.match_count);
    }

    /// `--worksheet`
    pub(crate) fn worksheet(&mut self, (): ()) {
        self.outputs.page.layout = PageLayout::Worksheet;
        self.page_option("--worksheet");
    }

    /// `--title`
    pub(crate) fn title(&mut self, title: String) {
        self.outputs.page.title = Some(title);
        self.page_option("--title");
    }

    /// Notes an option that only a page heeds.
    fn page_option(&mut self, option: &'static str) {
        if self.is_written() {
            self.outputs.page_option = Some(option);
        }
    }

    /// `--overlay`
    pub(crate) fn overlay(&mut self, (): ()) {
        self.outputs.overlay = true;
        self.outputs.wants_overlay |= self.is_written();
    }

    /// `--group`
    pub(crate) fn group(&mut self, word: String) -> Result<(), String> {
        let keys = outputs::groups(&word)?;
        if self.is_written() && self.names_groups {
            return Err("--group is given twice: name all keys once, with commas, as in --group \
                        eco:1,year"
                .to_owned());
        }
        self.names_groups |= self.is_written();
        self.outputs.groups = Some(keys);
        Ok(())
    }

    /// `--compress`
    pub(crate) fn compress(&mut self, word: String) -> Result<(), String> {
        self.outputs.compression = Some(outputs::compression(&word)?);
        self.outputs.names_compression |= self.is_written();
        Ok(())
    }

    /// The configurations.
    ///
    /// # Errors
    /// Two options exclude each other.
    pub(crate) fn finish(self) -> Result<SearchConfig, String> {
        let ConfigBuilder { inputs, mut outputs, run, .. } = self;
        if [CommentLevel::Quiet, CommentLevel::Silent].iter().all(|it| self.levels.contains(it)) {
            return Err("--quiet and --silent exclude each other".to_owned());
        }
        if inputs.unique && inputs.resume.is_some() {
            return Err(
                "--unique compares all games, and --resume searches slices: pack the games with \
                 --unique, and search the table with --resume"
                    .to_owned(),
            );
        }
        let others = [
            (outputs.counting != Counting::No, "--count prints one number"),
            (outputs.wants_columns, "--columns is for rows of matches"),
            (run.console.gui || outputs.gui_stdout, "--gui prints results for programs"),
        ];
        let other = others.iter().find(|(is_there, _)| *is_there && outputs.groups.is_some());
        if let Some((_, why)) = other {
            return Err(format!("--group writes a table, and {why}"));
        }
        outputs.layout_options.dedup();
        outputs.needs_table = outputs.names_compression && outputs.is_compressed();
        Ok(SearchConfig { inputs, outputs, run })
    }
}

/// A number of things in memory.
pub(crate) fn size(number: u64) -> usize {
    number.min(usize::MAX as u64) as usize
}

/// A range of numbers of positions.
pub(crate) fn positions((low, high): (i64, i64)) -> (i32, i32) {
    let count = |number: i64| number.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    (count(low), count(high))
}
