//! Regular expressions, with two engines that give the same matches.
//!
//! The `regex` crate, whose time is linear in the text, matches the patterns that it reads as
//! ECMAScript does. The backtracker, which counts its steps, matches the others: those with back
//! references or look-ahead, and those with groups that a repetition can skip.

mod backtrack;
mod render;

use std::ops::Range;

use babson_lang::pattern::{Pattern, Unit};

use crate::allowance::Allowance;
use crate::limits::{MAX_LAZY_DFA_BYTES, MAX_REGEX_BYTES, MAX_SMALL_DFA_BYTES, MAX_SMALL_WEIGHT};
use backtrack::Backtracker;

/// The cost of a search in an empty text, in instructions of the backtracker.
const SEARCH_COST: u64 = 16;
/// What a search that also finds groups costs besides.
const GROUP_SEARCH_COST: u64 = 32;
/// Bytes that a small automaton reads in the time of one instruction of the backtracker. The other
/// engines of the crate take one instruction for each part of the pattern and each byte.
const DFA_BYTES_A_STEP: u64 = 8;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(crate) struct Matcher {
    unit: Unit,
    groups: usize,
    /// How many parts the automaton has.
    weight: u64,
    /// Whether the deterministic automaton is known to be so small that the crate makes each of its
    /// states once. If not, it may fall back to engines whose time depends on the pattern's weight.
    small: bool,
    linear: Option<regex::bytes::Regex>,
    backtracker: Backtracker,
}

/// The place of a match and of its groups; group 0 is the whole.
pub(crate) type Groups = Vec<Option<Range<usize>>>;

/// What a search may take.
pub(crate) struct Fuel<'f> {
    left: Allowance,
    /// Whether a search goes on after a portion.
    goes_on: &'f dyn Fn() -> bool,
    /// The instructions of the backtracker and the repetitions within them.
    #[cfg(test)]
    work: u64,
}

impl<'f> Fuel<'f> {
    pub(crate) fn new(left: Allowance, goes_on: &'f dyn Fn() -> bool) -> Fuel<'f> {
        Fuel {
            left,
            goes_on,
            #[cfg(test)]
            work: 0,
        }
    }

    pub(crate) fn left(&self) -> u64 {
        self.left.left()
    }

    /// Takes fuel for an instruction, if there is some and the search goes on.
    #[inline]
    fn take(&mut self) -> bool {
        self.count_work(1);
        self.left.take() || (self.goes_on)() && self.left.next_portion() && self.left.take()
    }

    /// Counts work for the tests.
    #[inline]
    fn count_work(&mut self, work: usize) {
        #[cfg(test)]
        {
            self.work += work as u64;
        }
        #[cfg(not(test))]
        let _ = work;
    }
}

impl From<u64> for Fuel<'_> {
    /// The fuel of a search that is not stopped.
    fn from(left: u64) -> Self {
        Fuel::new(Allowance::new(left, false), &|| true)
    }
}

/// The fuel of the backtracker is used up.
#[derive(Debug)]
pub(crate) struct FuelExhaustion;

impl Matcher {
    /// Compiles a literal pattern of the query.
    pub(crate) fn new(pattern: &Pattern) -> Matcher {
        let mut matcher = Matcher::at_run_time(pattern);
        if !matcher.small && matcher.linear.is_some() {
            matcher.small = has_small_automaton(pattern);
        }
        matcher
    }

    /// Compiles a pattern while the query runs. This is faster, but does not learn whether the
    /// automaton is small.
    pub(crate) fn at_run_time(pattern: &Pattern) -> Matcher {
        let linear = render::render(&pattern.node, pattern.unit).and_then(|text| {
            regex::bytes::RegexBuilder::new(&text)
                .unicode(pattern.unit == Unit::Character)
                .size_limit(MAX_REGEX_BYTES)
                .dfa_size_limit(MAX_LAZY_DFA_BYTES)
                .build()
                .ok()
        });
        let weight = pattern.node.weight().max(1);
        Matcher {
            unit: pattern.unit,
            groups: pattern.groups as usize + 1,
            weight,
            small: weight <= MAX_SMALL_WEIGHT,
            linear,
            backtracker: Backtracker::new(pattern),
        }
    }

    /// The fuel for a search of the crate that reads `read` bytes and finds a match of `found`
    /// bytes.
    fn price(&self, read: usize, found: usize) -> u64 {
        let (read, found) = (read as u64, found as u64);
        let search =
            if self.small { read / DFA_BYTES_A_STEP } else { read.saturating_mul(self.weight) };
        let groups = if self.groups > 1 {
            GROUP_SEARCH_COST.saturating_add(found.saturating_mul(self.weight))
        } else {
            0
        };
        SEARCH_COST.saturating_add(search).saturating_add(groups)
    }

    /// Whether the `regex` crate can read all of a text. It does not read bytes that are not part
    /// of a character.
    pub(crate) fn reads(&self, text: &[u8]) -> bool {
        self.unit == Unit::Byte || std::str::from_utf8(text).is_ok()
    }

    /// Finds the first match that begins at `from` or later; `groups` is empty if there is none.
    /// `readable` is the result of [`Matcher::reads`]. Both engines take `fuel`. A search that
    /// could take more than there is goes to the backtracker, which stops when it is used up, or
    /// after a portion of it if `goes_on` says so.
    pub(crate) fn find(
        &self,
        text: &[u8],
        from: usize,
        readable: bool,
        groups: &mut Groups,
        fuel: &mut Fuel<'_>,
    ) -> Result<(), FuelExhaustion> {
        groups.clear();
        let rest = text.len().saturating_sub(from);
        let regex = match &self.linear {
            Some(regex) if readable && self.price(rest, rest) <= fuel.left() => regex,
            _ => return self.backtracker.find(text, from, groups, fuel),
        };
        if self.groups == 1 {
            groups.extend(regex.find_at(text, from).map(|found| Some(found.range())));
        } else if let Some(found) = regex.captures_at(text, from) {
            groups.extend(found.iter().map(|group| Some(group?.range())));
            // The crate forgets a group that is repeated no times.
            groups.resize(self.groups, None);
        }
        let whole = groups.first().cloned().flatten();
        let price = match whole {
            Some(whole) => self.price(whole.end.saturating_sub(from), whole.len()),
            None => self.price(rest, 0),
        };
        fuel.left.pay(price);
        Ok(())
    }

    /// Where the search for the next match begins, after one that was found.
    pub(crate) fn after(&self, text: &[u8], found: &Range<usize>) -> usize {
        if !found.is_empty() {
            return found.end;
        }
        let rest = text.get(found.end..).unwrap_or_default();
        found.end + self.unit.next(rest).map_or(1, |(_, len)| len)
    }
}

/// Whether the deterministic automata of the pattern, in both directions, are small.
fn has_small_automaton(pattern: &Pattern) -> bool {
    use regex_automata::dfa::{dense, regex::Regex};
    use regex_automata::util::syntax;
    let unicode = pattern.unit == Unit::Character;
    let limits = dense::Config::new()
        .dfa_size_limit(Some(MAX_SMALL_DFA_BYTES))
        .determinize_size_limit(Some(MAX_SMALL_DFA_BYTES));
    render::render(&pattern.node, pattern.unit).is_some_and(|text| {
        Regex::builder()
            .dense(limits)
            .syntax(syntax::Config::new().unicode(unicode).utf8(false))
            .thompson(regex_automata::nfa::thompson::Config::new().utf8(false))
            .build(&text)
            .is_ok()
    })
}

#[cfg(test)]
mod tests {
    use babson_arbitrary::{Choices, check_law};
    use babson_lang::pattern::parse;

    use super::*;

    fn matcher(pattern: &str) -> Matcher {
        Matcher::new(&parse(pattern.as_bytes(), Unit::Byte).expect(pattern))
    }

    /// The texts of the groups; `None` for one that took no part, nothing if there is no match.
    fn found(matcher: &Matcher, text: &str) -> Vec<Option<String>> {
        let mut groups = Groups::new();
        matcher.find(text.as_bytes(), 0, true, &mut groups, &mut Fuel::from(1_000_000)).unwrap();
        groups.into_iter().map(|group| Some(text.get(group?)?.to_owned())).collect()
    }

    fn texts(pattern: &str, text: &str) -> Vec<Option<String>> {
        let both = matcher(pattern);
        let slow = Matcher { linear: None, ..both.clone() };
        let expect = found(&slow, text);
        assert_eq!(found(&both, text), expect, "{pattern} on {text}");
        expect
    }

    fn some(list: &[&str]) -> Vec<Option<String>> {
        list.iter().map(|text| Some((*text).to_owned())).collect()
    }

    #[test]
    fn leftmost_and_first_alternative() {
        assert_eq!(texts("b|ab", "xab"), some(&["ab"]));
        assert_eq!(texts("a|ab", "xab"), some(&["a"]));
        assert_eq!(texts("[0-9]+", "a12b345"), some(&["12"]));
        assert_eq!(texts("a.*?c", "abcabc"), some(&["abc"]));
        assert_eq!(texts("a.*c", "abcabc"), some(&["abcabc"]));
        assert_eq!(texts("a{2,3}", "aaaa"), some(&["aaa"]));
        assert_eq!(texts("a{2,3}?", "aaaa"), some(&["aa"]));
        assert_eq!(texts("a**b", "xaab"), some(&["aab"]));
        assert_eq!(texts("a*+", "xaa"), some(&[""]));
        assert_eq!(texts("a+?+", "xaa"), some(&["aa"]));
        assert_eq!(texts("a{2}{3}", "aaaaaaaa"), some(&["aaaaaa"]));
        assert_eq!(texts("", "abc"), some(&[""]));
        assert_eq!(texts("[]|x", "x"), some(&["x"]));
        assert!(texts("[]", "x").is_empty());
    }

    #[test]
    fn anchors_and_words() {
        assert!(texts("^b", "abc").is_empty());
        assert!(texts("^b", "a\nb").is_empty());
        assert!(texts("a$", "a\n").is_empty());
        assert_eq!(texts("c$", "abc"), some(&["c"]));
        assert_eq!(texts(r"\bb\w*", "ab bc"), some(&["bc"]));
        assert_eq!(texts(r"\Bb", "b ab"), some(&["b"]));
        assert!(texts("a.b", "a\nb").is_empty());
    }

    #[test]
    fn groups() {
        assert_eq!(texts("(x)?b(.)", "abc"), [Some("bc".into()), None, Some("c".into())]);
        assert_eq!(texts(r"(\w+) (\d)", "a b 1"), some(&["b 1", "b", "1"]));
        assert_eq!(texts("(ab)+", "abab"), some(&["abab", "ab"]));
        // Each turn of a repetition forgets the groups of the one before.
        assert_eq!(texts("(?:(a)|b)*", "ab"), [Some("ab".into()), None]);
        assert_eq!(texts("(a*)*", "b"), [Some(String::new()), None]);
        assert_eq!(texts("(a*)+", "b"), some(&["", ""]));
        // Repeated no times, it is still a group.
        assert_eq!(texts("(x){0}a", "ba"), [Some("a".into()), None]);
        assert_eq!(texts("(?:(a)|b){0}(c)", "c"), [Some("c".into()), None, Some("c".into())]);
        // A turn that need not be is not taken for nothing.
        assert_eq!(texts("(?:())?", "b"), [Some(String::new()), None]);
        assert_eq!(texts("(?:|a)?", "a"), some(&["a"]));
    }

    #[test]
    fn references_and_look_ahead() {
        assert_eq!(texts(r"(.)\1", "abccd"), some(&["cc", "c"]));
        assert_eq!(texts(r"(a)?\1b", "b"), [Some("b".into()), None]);
        assert_eq!(texts("a(?=b)", "acab"), some(&["a"]));
        assert_eq!(texts("a(?!b)", "abac"), some(&["a"]));
        assert_eq!(texts("(?=(a+))b?", "aab"), some(&["", "aa"]));
        assert_eq!(texts("(?!(a)b)a", "ac"), [Some("a".into()), None]);
        assert_eq!(texts(r"\d(?=(\d{3})+$)", "1234567"), some(&["1", "567"]));
    }

    #[test]
    fn characters() {
        let pattern = parse("(.)(?=é)".as_bytes(), Unit::Character).unwrap();
        assert_eq!(found(&Matcher::new(&pattern), "aéé"), some(&["a", "a"]));
        let pattern = parse("^.é+$".as_bytes(), Unit::Character).unwrap();
        assert_eq!(found(&Matcher::new(&pattern), "ßéé"), some(&["ßéé"]));
        let mut groups = Groups::new();
        let dot = Matcher::new(&parse(b"^.$", Unit::Character).unwrap());
        dot.find(b"\xff", 0, dot.reads(b"\xff"), &mut groups, &mut Fuel::from(100)).unwrap();
        assert_eq!(groups, [Some(0..1)]);
    }

    #[test]
    fn a_pattern_that_explodes_ends() {
        let text = "a".repeat(40);
        let mut groups = Groups::new();
        let mut fuel = Fuel::from(100_000);
        let result = matcher(r"(a*)*\1b").find(text.as_bytes(), 0, true, &mut groups, &mut fuel);
        assert!(result.is_err());
        // The same without the reference is linear.
        assert!(texts("(?:a+)+b", &"a".repeat(15)).is_empty());
        let many = matcher("((a{1000}){1000}){1000}");
        assert!(many.find(text.as_bytes(), 0, true, &mut groups, &mut Fuel::from(100_000)).is_ok());
    }

    /// The forms of patterns. The first ones have no part.
    const FORMS: [&str; 23] = [
        "a",
        "b",
        ".",
        "[ab]",
        "[^a]",
        "^",
        "$",
        r"\b",
        "",
        "%%",
        "(?:%|%)",
        "(%)",
        "(?:%)*",
        "(?:%)+",
        "(?:%)?",
        "(?:%)*?",
        "(?:%)+?",
        "(?:%)??",
        "(?:%){2}",
        "(?:%){1,2}",
        "(?:%){0,2}?",
        "(?:%){2,}",
        r"\B",
    ];

    fn pattern(choices: &mut Choices<'_>, depth: usize) -> String {
        let forms = if depth == 0 { &FORMS[..9] } else { &FORMS[..] };
        let mut text = String::new();
        for (at, part) in choices.choose(forms).split('%').enumerate() {
            if at > 0 {
                text.push_str(&pattern(choices, depth - 1));
            }
            text.push_str(part);
        }
        text
    }

    /// Patterns that both engines match: they find the same. See docs/src/testing.md#laws.
    #[test]
    fn regex_engines() {
        check_law!("regex_engines", 3000, |bytes| {
            let mut choices = Choices::new(bytes);
            let pattern = pattern(&mut choices, 5);
            let text: String =
                (0..choices.below(9)).map(|_| choices.choose(&['a', 'b', 'c'])).collect();
            if matcher(&pattern).linear.is_some() {
                texts(&pattern, &text);
            }
        });
    }

    /// The fuel of a search.
    const FUEL: u64 = 10_000;

    /// Searches with little fuel. The work is in proportion to the fuel that was taken.
    fn search(
        matcher: &Matcher,
        text: &[u8],
        reads: bool,
        groups: &mut Groups,
    ) -> Result<(), FuelExhaustion> {
        let mut fuel = Fuel::from(FUEL);
        let found = matcher.find(text, 0, reads, groups, &mut fuel);
        let taken = FUEL - fuel.left();
        // A repetition costs a part of a step, and the last loop may have begun with less fuel.
        let last = matcher.backtracker.longest_loop().max(text.len()) as u64;
        assert!(fuel.work <= 16 * taken + last, "{} of {taken}", fuel.work);
        assert!(found.is_ok() || taken == FUEL);
        found
    }

    /// A loop within an instruction takes fuel: a comparison with a long group, the slots of many
    /// groups.
    #[test]
    fn repetitions_within_instructions_take_fuel() {
        let text = "a".repeat(30_000);
        let many = format!("(?:{}a)*\\1b", "()".repeat(2000));
        for pattern in
            ["(a*)\\1b", "(?=(a*))\\1\\1", &many, &format!("{}\\1b", "(x)?".repeat(3000))]
        {
            let parsed = parse(pattern.as_bytes(), Unit::Byte).expect("a pattern");
            let _ = search(&Matcher::new(&parsed), text.as_bytes(), true, &mut Groups::new());
        }
    }

    /// Any pattern in any text: it is refused, matches or does not, or runs out of fuel.
    #[test]
    fn regex_text() {
        check_law!("regex_text", 3000, |bytes| {
            let (pattern, text) = match bytes.iter().position(|&byte| byte == b'\n') {
                Some(end) => (&bytes[..end], &bytes[end + 1..]),
                None => bytes.split_at(bytes.len().min(12)),
            };
            for unit in [Unit::Byte, Unit::Character] {
                if let Ok(pattern) = parse(pattern, unit) {
                    let matcher = Matcher::new(&pattern);
                    let slow = Matcher { linear: None, ..matcher.clone() };
                    for text in [text, &text.repeat(50)] {
                        let (mut groups, reads) = (Groups::new(), matcher.reads(text));
                        if search(&matcher, text, reads, &mut groups).is_ok()
                            && let Some(whole) = groups.first()
                        {
                            let whole = whole.clone().expect("the place of the match");
                            assert!(text.get(whole).is_some());
                            // Both engines find the same in what both can search.
                            let mut others = Groups::new();
                            if search(&slow, text, reads, &mut others).is_ok() {
                                assert_eq!(others, groups);
                            }
                        }
                    }
                }
            }
        });
    }
}
