//! What forked machines change in the state that games share, and how the changes are joined.

use babson_lang::hir::Type;
use serde::{Deserialize, Serialize};

use super::Machine;
use super::dictionary::{Datum, Entries, EntryData};
use crate::RunOptions;
use crate::code::{SharedState, SharingRule};

/// What some consecutive games left in the persistent variables and dictionaries; see
/// [`Machine::take_changes`].
#[derive(Debug)]
pub struct SharedChanges {
    /// The value of each persistent variable; none if no game assigned it.
    persistents: Vec<Option<Datum>>,
    dictionaries: Vec<Entries>,
    /// Bytes of their entries.
    bytes: usize,
    /// The most bytes that the dictionaries had grown by at a time.
    most_growth: usize,
}

/// [`SharedChanges`] as data, to be stored and sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedChangesData {
    persistents: Vec<Option<Datum>>,
    dictionaries: Vec<EntryData>,
    bytes: usize,
    most_growth: usize,
}

impl SharedChanges {
    /// The changes as data.
    pub fn to_data(&self) -> SharedChangesData {
        SharedChangesData {
            persistents: self.persistents.clone(),
            dictionaries: self.dictionaries.iter().map(Entries::to_data).collect(),
            bytes: self.bytes,
            most_growth: self.most_growth,
        }
    }

    /// Bytes of the entries of dictionaries.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// The value of a variable before the first game of a fork, which changes no value that it is
/// joined to.
fn start(rule: SharingRule, ty: Type) -> Option<Datum> {
    match rule {
        // None says that no game has assigned the variable.
        SharingRule::Fixed | SharingRule::Last => None,
        SharingRule::Sum | SharingRule::Union => Some(Datum::zero(ty)),
        SharingRule::Intersection => Some(Datum::Set(u64::MAX)),
        SharingRule::Min => Some(Datum::Number(i32::MAX)),
        SharingRule::Max => Some(Datum::Number(i32::MIN)),
    }
}

impl Machine {
    /// A machine for some of the games, forked from this one before its first game. It has the
    /// values of `cqlbegin` that games only read. The program's [`Sharing`](crate::Sharing) must
    /// allow it.
    ///
    /// ```
    /// use babson_lang::{Dialect, analyze};
    /// use babson_pgn::Reader;
    /// use babson_vm::{GameContext, Machine, Program, RunOptions, Sharing};
    ///
    /// let query = analyze("mate persistent mates += 1", Dialect::CQLI).unwrap().query;
    /// let program = Program::compile(&query).unwrap();
    /// assert_eq!(program.sharing(), Sharing::Joined);
    /// let mut whole = Machine::new(program.clone());
    /// let mut reader = Reader::new();
    /// for (number, text) in [(1, "1. f3 e5 2. g4 Qh4# 0-1\n"), (2, "1. d4 *\n")] {
    ///     // As on a thread of its own.
    ///     let mut machine = whole.fork();
    ///     let game = reader.read(text.as_bytes(), program.needs());
    ///     let options = RunOptions::default();
    ///     let context = GameContext { number, last_number: None, options: &options };
    ///     machine.run(&game, &context).unwrap();
    ///     if let Some(changes) = machine.take_changes() {
    ///         whole.join(changes);
    ///     }
    /// }
    /// assert_eq!(whole.persistents(), ["mates: 1"]);
    /// ```
    pub fn fork(&self) -> Machine {
        let program = self.program.parts();
        let mut machine = Machine::new(self.program.clone());
        let SharedState::Joined { vars, dictionaries } = &program.code.shared else {
            return machine;
        };
        let (ours, theirs) = (&self.carryover, &mut machine.carryover);
        for (old, new) in ours.persistents.iter().zip(&mut theirs.persistents) {
            let rule = vars[old.var.index()];
            if rule == SharingRule::Fixed {
                new.value.clone_from(&old.value);
            } else {
                new.value = start(rule, new.ty);
            }
        }
        let both = ours.dictionaries.iter().zip(&mut theirs.dictionaries);
        for ((old, new), rule) in both.zip(dictionaries) {
            if *rule == SharingRule::Fixed {
                new.clone_from(old);
            }
        }
        machine.carryover.count_entry_bytes(program);
        machine
    }

    /// Bytes of the entries of dictionaries that the games since the last
    /// [`take_changes`](Machine::take_changes) have added.
    pub fn changed_bytes(&self) -> usize {
        self.carryover.entry_bytes.now.saturating_sub(self.carryover.entry_bytes.before)
    }

    /// Whether the dictionaries might have grown beyond [`RunOptions::kept_entries`] if this
    /// machine had run the games of the changes. Then it must run them, to find the game in which
    /// they do.
    ///
    /// [`RunOptions::kept_entries`]: crate::RunOptions::kept_entries
    pub fn may_overflow(&self, changes: &SharedChanges, options: &RunOptions) -> bool {
        self.carryover.entry_bytes.now.saturating_add(changes.most_growth) > options.kept_entries
    }

    /// What the games since the last call left, for the machine that this one was
    /// [forked](Machine::fork) from; none if the games share nothing.
    pub fn take_changes(&mut self) -> Option<SharedChanges> {
        let program = self.program.parts();
        let SharedState::Joined { vars, dictionaries } = &program.code.shared else {
            return None;
        };
        let mut changes = SharedChanges {
            persistents: Vec::new(),
            dictionaries: Vec::new(),
            bytes: self.changed_bytes(),
            most_growth: self
                .carryover
                .entry_bytes
                .peak
                .saturating_sub(self.carryover.entry_bytes.before),
        };
        for persistent in &mut self.carryover.persistents {
            let rule = vars[persistent.var.index()];
            let left = if rule == SharingRule::Fixed {
                None
            } else {
                let start = start(rule, persistent.ty);
                std::mem::replace(&mut persistent.value, start)
            };
            changes.persistents.push(left);
        }
        let declared = program.code.dictionaries.iter();
        for ((entries, rule), declared) in
            self.carryover.dictionaries.iter_mut().zip(dictionaries).zip(declared)
        {
            let none = Entries::new(declared.key, declared.value);
            changes.dictionaries.push(if *rule == SharingRule::Fixed {
                none
            } else {
                std::mem::replace(entries, none)
            });
        }
        self.carryover.count_entry_bytes(program);
        Some(changes)
    }

    /// The changes of these data, which a machine of an equal program made; none if they are of
    /// another program.
    pub fn changes_of(&self, data: SharedChangesData) -> Option<SharedChanges> {
        let SharedChangesData { persistents, dictionaries, bytes, most_growth } = data;
        let code = &self.program.parts().code;
        let ours = &self.carryover.persistents;
        let fits = persistents.len() == ours.len()
            && persistents.iter().zip(ours).all(|(datum, ours)| {
                let zero = Datum::zero(ours.ty);
                let is_same =
                    |datum| std::mem::discriminant(datum) == std::mem::discriminant(&zero);
                datum.as_ref().is_none_or(is_same)
            });
        if !fits || dictionaries.len() != code.dictionaries.len() {
            return None;
        }
        let dictionaries = code.dictionaries.iter().zip(dictionaries);
        let dictionaries = dictionaries
            .map(|(declared, data)| Entries::of_data(declared.key, declared.value, data))
            .collect::<Option<Vec<Entries>>>()?;
        Some(SharedChanges { persistents, dictionaries, bytes, most_growth })
    }

    /// Joins the changes of the next games. Changes must be joined in the order of the games.
    pub fn join(&mut self, changes: SharedChanges) {
        let SharedState::Joined { vars, dictionaries } = &self.program.parts().code.shared else {
            return;
        };
        for (persistent, later) in self.carryover.persistents.iter_mut().zip(changes.persistents) {
            match (&mut persistent.value, later) {
                (_, None) => {}
                (Some(value), Some(later)) => value.join(later, vars[persistent.var.index()]),
                (value @ None, later) => *value = later,
            }
        }
        let both = self.carryover.dictionaries.iter_mut().zip(changes.dictionaries);
        for ((entries, later), rule) in both.zip(dictionaries) {
            entries.join(later, *rule);
        }
        self.carryover.count_entry_bytes(self.program.parts());
    }
}
