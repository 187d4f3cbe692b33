//! Random paths: the search against the rules of the page, told as a plain recursion.

use babson_lang::Dialect;
use babson_pgn::{Game, Needs, Reader};
use proptest::prelude::*;

use super::{LINE, run_as};
use crate::{Outcome, RunOptions};

/// A constituent.
#[derive(Clone, Debug)]
enum Constituent {
    /// The side that moves, and whether the move must give check.
    Step(Option<bool>, bool),
    /// A position with this side to move.
    Holder(bool),
    Chain(Vec<Constituent>),
    Repeat(Box<Constituent>, u32, Option<u32>),
}

fn constituent() -> impl Strategy<Value = Constituent> {
    let step = || {
        (prop::option::of(any::<bool>()), any::<bool>())
            .prop_map(|(side, check)| Constituent::Step(side, check))
    };
    let leaf = prop_oneof![6 => step(), 1 => any::<bool>().prop_map(Constituent::Holder)];
    leaf.prop_recursive(3, 8, 3, move |inner| {
        let body = prop_oneof![
            prop::collection::vec(inner.clone(), 1..3).prop_map(Constituent::Chain),
            step(),
        ];
        let count =
            prop_oneof![Just((0, None)), Just((1, None)), Just((0, Some(1))), Just((2, Some(3))),];
        prop_oneof![
            prop::collection::vec(inner, 1..3).prop_map(Constituent::Chain),
            (body, count).prop_map(|(body, (min, max))| Constituent::Repeat(
                Box::new(body),
                min,
                max
            )),
        ]
    })
}

fn text(part: &Constituent) -> String {
    match part {
        Constituent::Step(side, check) => {
            let side = side.map_or("", |white| if white { "A" } else { "a" });
            format!("{side}--{}", if *check { "(check)" } else { "" })
        }
        // In braces, or it would be the target of a step before it.
        Constituent::Holder(white) => format!("({}){{1}}", if *white { "wtm" } else { "btm" }),
        Constituent::Chain(parts) => {
            let inner: Vec<String> = parts.iter().map(text).collect();
            // The step makes a group of it whatever is inside; it can always be left out.
            format!("({} (-- false)?)", inner.join(" "))
        }
        Constituent::Repeat(inner, min, max) => {
            let body = text(inner);
            match (min, max) {
                (0, None) => format!("{body}*"),
                (1, None) => format!("{body}+"),
                (0, Some(1)) => format!("{body}?"),
                (min, max) => format!("{body}{{{min},{}}}", max.unwrap_or(0)),
            }
        }
    }
}

/// The rules: what is left to do, in order.
struct Rules<'g> {
    game: &'g Game<'g>,
    focus: Option<bool>,
    start: u32,
    /// Length and end of the successes, in the order of the search.
    found: Vec<(i32, u32)>,
    budget: u32,
}

#[derive(Clone, Copy)]
enum Rest<'p, 'r> {
    End,
    Then(&'p Constituent, &'r Rest<'p, 'r>),
    /// Again, if the turn that began at this node has moved on.
    Again(&'p Constituent, u32, &'r Rest<'p, 'r>),
}

impl Rules<'_> {
    fn white(&self, node: u32) -> bool {
        self.game.positions()[node as usize].side() == babson_chess::Color::White
    }

    fn children(&self, node: u32) -> Vec<u32> {
        (node + 1..self.game.len())
            .filter(|&child| self.game.nodes()[child as usize].parent == node)
            .collect()
    }

    /// The moves that a step may take, whatever it asks.
    fn moves(&self, node: u32, first: bool) -> Vec<u32> {
        let mut all = Vec::new();
        for child in self.children(node) {
            match self.focus {
                Some(white) if self.white(node) != white => {
                    if !first {
                        all.extend(self.moves(child, false));
                    }
                }
                _ => all.push(child),
            }
        }
        all
    }

    fn go(&mut self, rest: Rest<'_, '_>, node: u32, count: i32) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        let (part, next) = match rest {
            Rest::End => {
                if node != self.start {
                    self.found.push((count, node));
                }
                return;
            }
            Rest::Again(part, began, next) => {
                if began == node {
                    return self.go(*next, node, count);
                }
                return self.repeat(part, 0, None, next, node, count);
            }
            Rest::Then(part, next) => (part, next),
        };
        match part {
            Constituent::Step(side, check) => {
                for tail in self.moves(node, node == self.start) {
                    let head = self.game.nodes()[tail as usize].parent;
                    let fits = side.is_none_or(|white| self.white(head) == white)
                        && (!check || self.game.positions()[tail as usize].in_check());
                    if fits {
                        self.go(*next, tail, count + 1);
                    }
                }
            }
            Constituent::Holder(white) => {
                if self.white(node) == *white {
                    self.go(*next, node, count);
                }
            }
            Constituent::Chain(parts) => self.chain(parts, next, node, count),
            Constituent::Repeat(inner, min, max) => {
                self.repeat(inner, *min, *max, next, node, count)
            }
        }
    }

    fn chain(&mut self, parts: &[Constituent], next: &Rest<'_, '_>, node: u32, count: i32) {
        match parts {
            [] => self.go(*next, node, count),
            [first, rest @ ..] => {
                let whole = Constituent::Chain(rest.to_vec());
                self.go(Rest::Then(first, &Rest::Then(&whole, next)), node, count);
            }
        }
    }

    fn repeat(
        &mut self,
        part: &Constituent,
        min: u32,
        max: Option<u32>,
        next: &Rest<'_, '_>,
        node: u32,
        count: i32,
    ) {
        if min > 0 {
            let less = Constituent::Repeat(Box::new(part.clone()), min - 1, max.map(|max| max - 1));
            return self.go(Rest::Then(part, &Rest::Then(&less, next)), node, count);
        }
        self.go(*next, node, count);
        match max {
            None => self.go(Rest::Then(part, &Rest::Again(part, node, next)), node, count),
            Some(0) => {}
            Some(max) => {
                let less = Constituent::Repeat(Box::new(part.clone()), 0, Some(max - 1));
                self.go(Rest::Then(part, &Rest::Then(&less, next)), node, count);
            }
        }
    }
}

fn said(query: &str) -> Outcome {
    let options = RunOptions { variations: Some(true), ..RunOptions::default() };
    run_as(query, LINE, Dialect::CQL6, &options)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn the_search_keeps_to_the_rules(
        parts in prop::collection::vec(constituent(), 1..4),
        single_color in any::<bool>(),
        first_match in any::<bool>(),
    ) {
        let mut reader = Reader::new();
        let game = reader.read(LINE, Needs { variations: true, ..Needs::MAIN_LINE });
        let whole = Constituent::Chain(parts);
        let mut wanted = String::new();
        let mut starts = Vec::new();
        for start in 0..game.len() {
            let white = game.positions()[start as usize].side() == babson_chess::Color::White;
            let mut rules = Rules {
                game: &game,
                focus: single_color.then_some(white),
                start,
                found: Vec::new(),
                budget: 20_000,
            };
            rules.go(Rest::Then(&whole, &Rest::End), start, 0);
            prop_assume!(rules.budget > 0);
            let found = &rules.found;
            let best = if first_match {
                found.first()
            } else {
                let longest = found.iter().map(|found| found.0).max();
                found.iter().find(|found| Some(found.0) == longest)
            };
            if let Some((length, end)) = best {
                starts.push(start);
                wanted.push_str(&format!("{start} {length} {end}\n"));
            }
        }
        let words = [(single_color, "singlecolor "), (first_match, "firstmatch ")];
        let words: String = words.iter().filter(|word| word.0).map(|word| word.1).collect();
        let body = text(&whole);
        // Alone it has a prefilter.
        let query = format!("cql(variations) path {words}{body}");
        prop_assert_eq!(said(&query).positions, starts, "{}", query);
        // What changes a variable is tried as often as the rules say, the rest once.
        for effect in ["", "(y=1){1} "] {
            let query = format!(
                "cql(variations) x={{path quiet {words}{effect}{body}}} \
                 message quiet(positionid \" \" x \" \" pathlastposition:positionid)"
            );
            let outcome = said(&query);
            prop_assert_eq!(&outcome.error, &None, "{}", query);
            let got = String::from_utf8_lossy(&outcome.messages).into_owned();
            prop_assert_eq!(&got, &wanted, "{}", query);
        }
    }
}
