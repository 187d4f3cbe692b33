//! Words of chess players and programmers for which the book has another word.

use babson::text::synonyms;

/// Words that no page or heading of the book has in its title, and a word that is mentioned where
/// the answer is.
pub(crate) const OTHER_WORDS: &[(&[&str], &str)] = &[
    (&["iqp", "isolani"], "isolated"),
    (&["novelty", "novelties", "tn"], "leave"),
    (&["greek gift", "greekgift"], "h7"),
    (&["7z", "rar", "tar", "unzip"], "archives"),
    (&["truncated", "corrupt", "corrupted"], "broken"),
    (&["dict", "hashmap"], "dictionaries"),
    (&["excel", "xlsx", "calc", "libreoffice"], "csv"),
    (&["duplicate", "duplicates", "dedupe", "doubles"], "twice"),
    (&["bzip2", "gzip"], "bz2"),
    (&["exitcode", "errorlevel", "returncode"], "exit"),
    (&["cluster", "slurm", "spark"], "slices"),
];

/// The word that is mentioned where the answer is: a word of the table, or the filter of a synonym.
pub(crate) fn other_word(word: &str) -> Option<&'static str> {
    let is_word = |words: &[&str]| words.iter().any(|other| other.eq_ignore_ascii_case(word));
    let other = OTHER_WORDS.iter().find(|(words, _)| is_word(words));
    let synonym = || {
        let query = synonyms::find(word)?.query;
        query.bytes().all(|letter| letter.is_ascii_lowercase()).then_some(query)
    };
    other.map(|(_, mentioned)| *mentioned).or_else(synonym)
}

/// The words of a text, in lower case.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Whether a title or a heading has all words of a topic, in any order. A word may have a final `s`
/// in one of the two only.
pub(crate) fn mentions_all(title: &str, topic: &str) -> bool {
    let stem = |word: String| word.strip_suffix('s').map(str::to_owned).unwrap_or(word);
    let found: Vec<String> = words(title).map(stem).collect();
    let mut wanted = words(topic).map(stem).peekable();
    wanted.peek().is_some() && wanted.all(|word| found.contains(&word))
}
