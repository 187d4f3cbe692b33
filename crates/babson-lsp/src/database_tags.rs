//! The tags of the databases, which a completion offers.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Instant, SystemTime};

use babson::command::is_remote_name;
use babson::pgn::Needs;
use babson::pgn::tags::{decode, value_text};
use babson::scan::{Job, Silent};
use babson::sink::{Format, MatchText, MatchedGame, Omitted, TextSink};
use babson::{Query, Scan, StopSignal, Task};

use crate::databases::inputs_in;
use crate::limits::{
    MAX_DATABASES_WITH_TAGS, MAX_TAG_GAMES, MAX_TAG_NAMES, MAX_TAG_TEXT, MAX_TAG_TIME,
    MAX_TAG_VALUES,
};
use crate::pool::guarded;

/// The names of the tags of a database, each with its values if they are few.
pub(crate) type TagValues = BTreeMap<String, Vec<String>>;

/// The tags of some databases. One thread reads them, one database after another; until it has read
/// a database, that has no tags.
#[derive(Clone, Debug, Default)]
pub(crate) struct DatabaseTags(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// The one that was asked for last at the end.
    known: Vec<Known>,
    /// What the thread has to read.
    queue: VecDeque<Vec<PathBuf>>,
    has_thread: bool,
}

#[derive(Debug)]
struct Known {
    databases: Vec<PathBuf>,
    tags: Arc<TagValues>,
    /// The files that were read; `None` while the thread has to read them.
    stamp: Option<Stamp>,
}

/// The length and the time of change of each database; `None` if it is not there.
type Stamp = Vec<Option<(u64, Option<SystemTime>)>>;

fn stamp_of(databases: &[PathBuf]) -> Stamp {
    let of = |database: &PathBuf| {
        fs::metadata(database).ok().map(|data| (data.len(), data.modified().ok()))
    };
    databases.iter().map(of).collect()
}

impl DatabaseTags {
    /// Begins to read the tags of databases that are not known.
    pub(crate) fn begin_reading(&self, databases: &[PathBuf]) {
        if is_read_unasked(databases) {
            let mut state = self.state();
            if state.known.iter().all(|one| one.databases != databases) {
                self.add(&mut state, databases);
            }
        }
    }

    /// The tags of databases, as far as they are known. Those that have changed are read again.
    pub(crate) fn of(&self, databases: &[PathBuf]) -> Arc<TagValues> {
        if !is_read_unasked(databases) {
            return Arc::default();
        }
        let now = stamp_of(databases);
        let mut state = self.state();
        let Some(at) = state.known.iter().position(|one| one.databases == databases) else {
            self.add(&mut state, databases);
            return Arc::default();
        };
        let mut known = state.known.remove(at);
        let tags = Arc::clone(&known.tags);
        let has_changed = known.stamp.as_ref().is_some_and(|read| *read != now);
        if has_changed {
            known.stamp = None;
        }
        state.known.push(known);
        if has_changed {
            self.read_later(&mut state, databases);
        }
        tags
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked has left a whole state.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds databases in place of those that nobody has asked for the longest. If all are still to
    /// be read, they wait for another question.
    fn add(&self, state: &mut State, databases: &[PathBuf]) {
        if state.known.len() >= MAX_DATABASES_WITH_TAGS {
            let Some(read) = state.known.iter().position(|one| one.stamp.is_some()) else { return };
            state.known.remove(read);
        }
        let (databases, tags) = (databases.to_vec(), Arc::default());
        state.known.push(Known { databases: databases.clone(), tags, stamp: None });
        self.read_later(state, &databases);
    }

    /// Lets the thread read databases, and starts it if there is none.
    fn read_later(&self, state: &mut State, databases: &[PathBuf]) {
        state.queue.push_back(databases.to_vec());
        if state.has_thread {
            return;
        }
        let all = self.clone();
        let work = move || {
            while let Some(databases) = all.next() {
                let stamp = stamp_of(&databases);
                // A panic is a bug, which must not end the thread while others wait for it.
                let tags = guarded(|| read(&databases)).ok().flatten();
                all.finish(&databases, stamp, tags);
            }
        };
        state.has_thread = Builder::new().name("tags".into()).spawn(work).is_ok();
        if !state.has_thread {
            // The usual tags are offered, and the next question tries it again.
            state.queue.clear();
            state.known.retain(|one| one.stamp.is_some());
        }
    }

    /// The next databases that the thread reads. Without any it ends.
    fn next(&self) -> Option<Vec<PathBuf>> {
        let mut state = self.state();
        let next = state.queue.pop_front();
        state.has_thread = next.is_some();
        next
    }

    /// Keeps what was read. Databases that could not be read are forgotten: the next question reads
    /// them again.
    fn finish(&self, databases: &[PathBuf], stamp: Stamp, tags: Option<TagValues>) {
        let mut state = self.state();
        match tags {
            Some(tags) => {
                let mut known = state.known.iter_mut();
                if let Some(one) = known.find(|one| one.databases == databases) {
                    (one.tags, one.stamp) = (Arc::new(tags), Some(stamp));
                }
            }
            None => state.known.retain(|one| one.databases != databases),
        }
    }
}

/// Whether the tags of databases are read. Nobody has asked for a connection to another machine.
fn is_read_unasked(databases: &[PathBuf]) -> bool {
    let is_remote = |one: &PathBuf| one.to_str().is_some_and(is_remote_name);
    !databases.is_empty() && !databases.iter().any(is_remote)
}

/// The tags of the first games of some databases; `None` if they cannot be read, which *Run* tells.
fn read(databases: &[PathBuf]) -> Option<TagValues> {
    let inputs = inputs_in(databases).ok()?;
    let query = Query::compile("true").ok()?;
    let found = Arc::new(TagCollection::default());
    let sink = TextSink::new("the tags", TagFormat(Arc::clone(&found)), |_: &[u8]| {
        Ok(ControlFlow::Continue(()))
    });
    let task = Task::new(&query).range(1..=MAX_TAG_GAMES).limit(MAX_TAG_GAMES).sink(sink);
    let stop = StopSignal { cancel: None, deadline: Some(Instant::now() + MAX_TAG_TIME) };
    let done = Scan::of(inputs).threads(1).stop(stop).task(task).observe(&mut Silent);
    // What was read before an error counts.
    let tags = found.tags();
    (done.is_ok() || !tags.is_empty()).then_some(tags)
}

/// The tags of games.
#[derive(Default)]
struct TagCollection(Mutex<HashMap<String, BTreeSet<String>>>);

impl TagCollection {
    fn add(&self, name: String, value: String) {
        if !is_offered(&name) {
            return;
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX_TAG_NAMES && !all.contains_key(&name) {
            return;
        }
        let values = all.entry(name).or_default();
        // One value too many is kept, which says that there are more.
        if is_offered(&value) && values.len() <= MAX_TAG_VALUES {
            values.insert(value);
        }
    }

    fn tags(&self) -> TagValues {
        let all = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let few = |values: BTreeSet<String>| match values.len() <= MAX_TAG_VALUES {
            true => values.into_iter().collect(),
            false => Vec::new(),
        };
        all.into_iter().map(|(name, values)| (name, few(values))).collect()
    }
}

/// Whether a name or a value can stand in a string of the language, which has neither quotes nor
/// line ends, and in a list of an editor.
fn is_offered(text: &str) -> bool {
    let is_sign = |c: char| c.is_control() || c == '"' || c == '\\';
    !text.is_empty() && text.len() <= MAX_TAG_TEXT && !text.contains(is_sign)
}

/// Collects the tags of the games that match.
struct TagFormat(Arc<TagCollection>);

impl Format for TagFormat {
    fn needs(&self, _: &Job) -> Needs {
        Needs::TAGS
    }

    fn comments(&self, _: &Job) -> bool {
        false
    }

    fn positions(&self, _: &Job) -> bool {
        false
    }

    fn append(&self, matched: &MatchedGame<'_>, _: &mut MatchText) -> Omitted {
        for (name, value) in matched.game.tags() {
            self.0.add(decode(name).into_owned(), value_text(value).into_owned());
        }
        Omitted::default()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_first_games_have_the_tags() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("games.pgn");
        let mut text = String::new();
        for number in 1..=MAX_TAG_GAMES + 5 {
            let late = if number > MAX_TAG_GAMES { "[Late \"x\"]\n" } else { "" };
            text += &format!(
                "[White \"Player {number}\"]\n[Mode \"mode {}\"]\n{late}\n1. e4 *\n\n",
                number % 3
            );
        }
        fs::write(&games, text).unwrap();
        let tags = read(&[games]).unwrap();
        let shown: Vec<(&str, usize)> =
            tags.iter().map(|(name, values)| (name.as_str(), values.len())).collect();
        assert_eq!(shown, [("Mode", 3), ("White", 0)]);
        assert_eq!(tags["Mode"], ["mode 0", "mode 1", "mode 2"]);
        assert_eq!(read(&[folder.path().join("none.pgn")]), None);
    }

    #[test]
    fn there_are_not_more_names_and_values_than_a_list_shows() {
        let format = TagCollection::default();
        for number in 0..2 * MAX_TAG_NAMES {
            format.add(format!("Tag{number}"), String::new());
            format.add("Tag0".to_owned(), format!("value {number}"));
            format.add("Tag1".to_owned(), "long".repeat(MAX_TAG_TEXT));
        }
        let tags = format.tags();
        assert_eq!(tags.len(), MAX_TAG_NAMES);
        assert!(tags.values().all(Vec::is_empty));
    }

    #[test]
    fn what_a_string_cannot_have_is_not_offered() {
        let format = TagCollection::default();
        let long = "x".repeat(MAX_TAG_TEXT + 1);
        for wrong in ["a\"b", "a\\b", "a\nb", "a\u{1b}b", "", &long] {
            format.add(wrong.to_owned(), "value".to_owned());
            format.add("Mode".to_owned(), wrong.to_owned());
        }
        format.add("Mode".to_owned(), "blitz".to_owned());
        let tags = format.tags();
        assert_eq!(tags, BTreeMap::from([("Mode".to_owned(), vec!["blitz".to_owned()])]));
    }

    /// Asks for tags until they are as expected.
    fn wait_for(tags: &DatabaseTags, databases: &[PathBuf], expected: &[&str]) {
        let end = Instant::now() + std::time::Duration::from_secs(300);
        loop {
            let found = tags.of(databases);
            if found.keys().eq(expected) {
                return;
            }
            assert!(Instant::now() < end, "{found:?} is not {expected:?}");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    #[test]
    fn databases_that_appear_or_change_are_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let games = [folder.path().join("games.pgn")];
        let tags = DatabaseTags::default();
        tags.begin_reading(&games);
        wait_for(&tags, &games, &[]);
        fs::write(&games[0], "[Mode \"blitz\"]\n\n1. e4 *\n").unwrap();
        wait_for(&tags, &games, &["Mode"]);
        fs::write(&games[0], "[Mode \"blitz\"]\n[Later \"x\"]\n\n1. e4 *\n").unwrap();
        wait_for(&tags, &games, &["Later", "Mode"]);
        let remote = [PathBuf::from("https://example.org/games.pgn")];
        assert!(tags.of(&remote).is_empty());
        assert!(tags.state().known.iter().all(|one| one.databases != remote));
    }

    #[test]
    fn few_databases_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let tags = DatabaseTags::default();
        let database = |number: usize| [folder.path().join(format!("{number}.pgn"))];
        for number in 0..=MAX_DATABASES_WITH_TAGS {
            fs::write(&database(number)[0], format!("[Tag{number} \"x\"]\n\n1. e4 *\n")).unwrap();
            wait_for(&tags, &database(number), &[&format!("Tag{number}")]);
            // The test asks for it again and again, and it stays.
            wait_for(&tags, &database(0), &["Tag0"]);
        }
        let state = tags.state();
        assert_eq!(state.known.len(), MAX_DATABASES_WITH_TAGS);
        let is_known = |number| state.known.iter().any(|one| one.databases == database(number));
        assert!(is_known(0) && !is_known(1) && is_known(MAX_DATABASES_WITH_TAGS));
    }

    #[test]
    fn databases_that_wait_are_not_forgotten() {
        let tags = DatabaseTags::default();
        // The thread does not begin.
        tags.state().has_thread = true;
        for number in 0..2 * MAX_DATABASES_WITH_TAGS {
            tags.begin_reading(&[PathBuf::from(format!("{number}.pgn"))]);
        }
        let state = tags.state();
        assert_eq!(state.queue.len(), MAX_DATABASES_WITH_TAGS);
        let known = state.known.iter().map(|one| &one.databases);
        assert!(known.eq(&state.queue));
    }
}
