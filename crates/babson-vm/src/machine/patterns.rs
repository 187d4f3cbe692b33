//! Regular expressions and the groups of the latest match (`docs/src/language/patterns.md`).

use std::ops::Range;

use babson_lang::pattern::{self, PatternError, Unit as Step};

use super::{Run, Stop};
use crate::filters::strings::{self, Unit};
use crate::limits::{MAX_CHARGED_PARTS, MAX_MADE_MATCHERS};
use crate::op::{Pc, RegexOperand, Register};
use crate::regex::{Fuel, FuelExhaustion, Groups, Matcher};

/// Steps that compiling a pattern takes, beside those for its parts.
const PATTERN_STEPS: u64 = 2_000;
/// Steps that compiling each part of a pattern takes.
const PATTERN_PART_STEPS: u64 = 10;
/// Steps of the backtracker in the time of one step of the evaluation.
const FUEL_PER_STEP: u64 = 4;

impl Run<'_, '_> {
    /// Finds the first match at or after an offset. Its groups replace the groups of the last
    /// search.
    pub(super) fn find_match(
        &mut self,
        pc: Pc,
        text: u64,
        from: usize,
        pattern: RegexOperand,
    ) -> Result<Option<Range<usize>>, Stop> {
        let mut groups = std::mem::take(&mut self.state.carryover.groups);
        groups.clear();
        let found = self
            .with_matcher(pattern, |run, matcher| run.match_into(matcher, text, from, &mut groups));
        self.state.group_text = text;
        let whole = groups.first().cloned().flatten();
        self.state.carryover.groups = groups;
        match found {
            Ok(Ok(())) => Ok(whole),
            Ok(Err(FuelExhaustion)) => {
                self.state.steps.clear();
                self.step(pc)?;
                Ok(None)
            }
            Err(error) => self.malformed(pc, &error),
        }
    }

    fn match_into(
        &mut self,
        matcher: &Matcher,
        text: u64,
        from: usize,
        groups: &mut Groups,
    ) -> Result<(), FuelExhaustion> {
        let readable = match self.state.utf8_text {
            Some((known, readable)) if known == text => readable,
            _ => {
                let readable = matcher.reads(self.state.bytes(text));
                self.state.pay_text(text);
                self.state.utf8_text = Some((text, readable));
                readable
            }
        };
        let before = self.state.steps.left();
        let options = self.context.options;
        let text = self.state.bytes(text);
        let goes_on = || options.stop.stopped().is_none();
        let mut fuel = Fuel::new(self.state.steps.times(FUEL_PER_STEP), &goes_on);
        let result = matcher.find(text, from, readable, groups, &mut fuel);
        // Rounded up, so that a match without fuel takes no step.
        self.state.steps.pay(before.saturating_sub(fuel.left().div_ceil(FUEL_PER_STEP)));
        result
    }

    /// Calls `f` with the matcher of a literal pattern, or of one that the query made.
    fn with_matcher<T>(
        &mut self,
        pattern: RegexOperand,
        f: impl FnOnce(&mut Self, &Matcher) -> T,
    ) -> Result<T, PatternError> {
        let register = match pattern {
            RegexOperand::Literal(index) => {
                let matchers = std::mem::take(&mut self.state.carryover.matchers);
                let result = f(self, &matchers[usize::from(index)]);
                self.state.carryover.matchers = matchers;
                return Ok(result);
            }
            RegexOperand::Register(register) => register,
        };
        let mut made = std::mem::take(&mut self.state.carryover.made_matchers);
        let text = self.state.bytes(self.state.registers[register]);
        let mut steps = (text.len() / 128) as u64;
        if !made.contains_key(text) {
            if made.len() >= MAX_MADE_MATCHERS {
                made.clear();
            }
            let unit = match self.unit() {
                Unit::Byte => Step::Byte,
                Unit::Character => Step::Character,
            };
            let pattern = pattern::parse(text, unit);
            steps += PATTERN_STEPS;
            if let Ok(pattern) = &pattern {
                steps += PATTERN_PART_STEPS * pattern.node.weight().min(MAX_CHARGED_PARTS);
            }
            made.insert(text.to_vec(), pattern.map(|pattern| Matcher::at_run_time(&pattern)));
        }
        self.state.pay_steps(steps);
        let text = self.state.bytes(self.state.registers[register]);
        let result = match made.get(text) {
            Some(Err(error)) => Err(error.clone()),
            Some(Ok(matcher)) => Ok(f(self, matcher)),
            None => Err(PatternError { at: 0, what: "it was not kept" }),
        };
        self.state.carryover.made_matchers = made;
        result
    }

    /// The next match of a loop; false if there is none. Registers: the text, where to begin.
    pub(super) fn next_match(
        &mut self,
        pc: Pc,
        cursor: Register,
        pattern: RegexOperand,
    ) -> Result<bool, Stop> {
        let (text, from) = (self.state.registers[cursor], self.state.registers[cursor + 1]);
        let from = from as usize;
        if from > text as u32 as usize {
            return Ok(false);
        }
        let before =
            (from > 0).then(|| (self.state.group_text, self.state.carryover.groups.clone()));
        let Some(found) = self.find_match(pc, text, from, pattern)? else {
            // After the last match its groups remain.
            if let Some((text, groups)) = before {
                self.state.group_text = text;
                self.state.carryover.groups = groups;
            }
            return Ok(false);
        };
        let next =
            self.with_matcher(pattern, |run, matcher| matcher.after(run.state.bytes(text), &found));
        self.state.registers[cursor + 1] = next.map_or(u64::MAX, |next| next as u64);
        Ok(true)
    }

    #[cold]
    fn malformed<T>(&mut self, pc: Pc, error: &PatternError) -> Result<T, Stop> {
        let message = format!("malformed regular expression: {error}");
        self.stop(pc, "~~", message, false)
    }

    /// The range of a group of the latest match; none if it took no part.
    pub(super) fn group(&mut self, pc: Pc, number: u8) -> Result<Option<Range<usize>>, Stop> {
        match self.state.carryover.groups.get(usize::from(number)) {
            Some(group) => Ok(group.clone()),
            None => {
                let message = format!("the latest match with `~~` has no group {number}");
                self.stop(pc, "group", message, false)
            }
        }
    }

    /// Where a group begins, in units of strings.
    pub(super) fn group_index(&mut self, group: Range<usize>) -> u64 {
        self.state.pay(group.start);
        let text = self.state.bytes(self.state.group_text);
        let before = text.get(..group.start).unwrap_or_default();
        u64::from(strings::len(before, self.unit()) as u32)
    }
}
