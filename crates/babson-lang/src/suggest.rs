//! Finds the known word that a misspelled one is nearest to, for "did you mean".

use crate::keywords::Keyword;

/// The word of `known` or keyword nearest to `name`, if one is near enough. None if the name says
/// that the condition of a word does not hold: the word would mean the opposite.
pub(crate) fn nearest(name: &str, known: Vec<&str>) -> Option<String> {
    let keywords = Keyword::ALL.iter().map(|keyword| keyword.name());
    let others: Vec<&str> =
        known.into_iter().chain(keywords).filter(|word| *word != name).collect();
    if others.iter().any(|word| is_negated(name, word)) {
        return None;
    }
    nearest_of(name, others.into_iter()).map(str::to_owned)
}

/// Whether the name is this word after a prefix of negation, as `nocheck` is.
fn is_negated(name: &str, word: &str) -> bool {
    let rests = ["no", "non", "not", "un"].into_iter().filter_map(|no| name.strip_prefix(no));
    word.len() > 2 && rests.into_iter().any(|rest| rest.starts_with(word))
}

/// The word of `words` nearest to `name`, if one is near enough: what a "did you mean" names.
///
/// ```
/// assert_eq!(babson_lang::nearest_of("widht", ["width", "height"].into_iter()), Some("width"));
/// ```
pub fn nearest_of<'w>(name: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let letters = name.chars().count();
    let limit = match letters {
        0..=2 => return None,
        3..=4 => 1,
        5..=7 => 2,
        _ => 3,
    };
    words
        // A name of a megabyte is not compared with anything.
        .filter(|word| word.chars().count().abs_diff(letters) <= limit)
        .map(|word| (distance(name, word), word))
        .filter(|&(distance, _)| distance <= limit)
        .min()
        .map(|(_, word)| word)
}

/// The word of `words` that differs from `name` by one letter that is inserted, left out or
/// replaced, or by two neighbors that are swapped.
pub(crate) fn one_edit<'w>(name: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let letters = name.chars().count();
    let mut near = words.filter(|word| word.chars().count().abs_diff(letters) <= 1);
    near.find(|word| distance(name, word) == 1)
}

/// The Damerau–Levenshtein distance: the number of letters to insert, delete, replace, or swap
/// with their neighbor.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = last;
        last = row;
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("attcaks", "attacks"), 1);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn near_words_only() {
        assert_eq!(nearest("stalemat", vec![]), Some("stalemate".into()));
        assert_eq!(nearest("cuont", vec!["counter"]), Some("count".into()));
        assert_eq!(nearest("zzzzzz", vec!["abc"]), None);
        assert_eq!(nearest("x", vec!["y"]), None);
        // They mean the opposite.
        assert_eq!(
            ["nocheck", "nomate", "unpin"].map(|name| nearest(name, vec![])),
            [const { None }; 3]
        );
        // The word itself is not a suggestion.
        assert_eq!(nearest("arrow", vec!["arrow"]), None);
    }
}
