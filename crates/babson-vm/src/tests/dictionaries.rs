//! Dictionaries that change while a loop walks over them
//! (`docs/src/language/dictionaries.md`).

use babson_lang::Dialect;

use super::{LINE, run_as};
use crate::{GameContext, Machine, Program, RunLimit, RunOptions};

/// What the query prints at the initial position, which is the same in both dialects.
fn value(query: &str, value: &str) -> String {
    let query = format!("initial {query} message quiet({value})");
    let [cqli, cql6] = [Dialect::CQLI, Dialect::CQL6].map(|dialect| {
        let outcome = run_as(&query, LINE, dialect, &RunOptions::default());
        assert_eq!(outcome.error, None, "{query}");
        String::from_utf8(outcome.messages).expect("messages are text")
    });
    assert_eq!(cqli, cql6, "{query}");
    cqli.trim_end().to_owned()
}

#[test]
fn a_loop_visits_the_keys_that_there_were_when_it_began() {
    let numbers = "local dictionary D D[1]=1 D[2]=2 D[5]=5 t=\"\"";
    for (body, visited) in [
        // New keys: behind the one that is visited, in front of it, both again and again.
        ("D[$k+10]=1", "1 2 5 |6"),
        ("D[$k-10]=1", "1 2 5 |6"),
        ("D[#D+100]=1 D[0-#D]=1", "1 2 5 |9"),
        // Keys that are removed are still visited, without a value.
        ("unbind D", "1 2 5 |0"),
        ("unbind D[5] unbind D[1]", "1 2 5 |1"),
        ("unbind D[$k]", "1 2 5 |0"),
        ("unbind D[$k] D[$k]=1", "1 2 5 |3"),
        ("unbind D D[3]=1", "1 2 5 |1"),
        ("if D[5] then {unbind D[5] t += \"+\"}", "1 +2 5 |2"),
        // The body may fail.
        ("D[$k+20]=1 false", "1 2 5 |6"),
    ] {
        for form in ["key $k in D", "$k [element] D"] {
            let query = format!("{numbers} {form} {{ t += str($k \" \") {body} }}");
            assert_eq!(value(&query, "t \"|\" #D"), visited, "{query}");
        }
    }
    let query = "local dictionary D D[\"b\"]=1 D[\"a\"]=2 D[\"463b96181691fc9c\"]=3 t=\"\" \
        string w in D { t += w t += \" \" D[w + w]=1 unbind D[\"b\"] }";
    assert_eq!(value(query, "t #D"), "463b96181691fc9c a b 5");
}

#[test]
fn a_loop_after_a_change_visits_what_there_is_then() {
    let query = "local dictionary D D[1]=1 D[2]=2 D[3]=3 t=\"\" \
        key $k in D { t += str($k \" \") unbind D[2] D[7]=1 } \
        key $k in D { t += str($k \",\") unbind D } \
        key $k in D { t += \"never\" } \
        D[4]=1 key $k in D { t += str($k \";\") }";
    assert_eq!(value(query, "t"), "1 2 3 1,3,7,4;");
}

#[test]
fn loops_over_one_dictionary_nest() {
    let query = "local dictionary D D[1]=1 D[2]=2 t=\"\" \
        key $a in D { t += \"(\" key $b in D { t += str($a $b \" \") D[$a*10+$b]=1 } t += \")\" }";
    assert_eq!(value(query, "t #D"), "(11 12 )(21 22 211 212 )8");
    let query = "local dictionary D local dictionary E D[1]=1 D[2]=2 E[5]=1 t=\"\" \
        key $a in D { key $b in E { key $c in D { t += str($a $b $c \" \") unbind D[$c] } E[$b+1]=1 } }";
    assert_eq!(value(query, "t #D #E"), "151 152 03");
}

/// The error of a query, whose games may make so much; and the sizes of its dictionaries.
fn at_limit(query: &str, memory: usize) -> (Option<String>, Vec<usize>) {
    let query = format!("initial {query}");
    let analysis = babson_lang::analyze(&query, Dialect::CQLI).expect("the query is sound");
    let program = Program::compile(&analysis.query).expect("the query is small");
    let mut machine = Machine::new(program.clone());
    let options = RunOptions { memory, ..RunOptions::default() };
    let context = GameContext { number: 1, last_number: None, options: &options };
    let mut reader = babson_pgn::Reader::new();
    let game = reader.read(LINE, babson_pgn::Needs::ALL);
    let error = machine.run(&game, &context).unwrap().error.clone();
    let sizes = machine.dictionaries().into_iter().filter_map(|line| {
        let (_, keys) = line.split_once(": ")?;
        keys.strip_suffix(" keys")?.parse().ok()
    });
    (error.map(|error| error.message), sizes.collect())
}

/// An entry is charged with what it takes, whatever its key and its value are.
#[test]
fn entries_count_as_memory() {
    let limit = "the query made more than 1 MiB of text and dictionary entries";
    for (query, most) in [
        ("dictionary D x=0 while (true) {x+=1 D[x]=x}", 1 << 15),
        ("local dictionary D x=0 while (true) {x+=1 D[x]=a1}", 1 << 15),
        // Half of it is the text of the keys.
        ("dictionary D x=0 while (true) {x+=1 D[str(\"key \" x)]=x}", 1 << 14),
        // A string that was made once stands in many entries.
        ("dictionary D s=\"ab\" while (#s<10000) s+=s x=0 while (true) {x+=1 D[x]=s}", 64),
        ("dictionary D s=\"ab\" while (#s<10000) s+=s x=0 while (true) {x+=1 D[s+str(x)]=x}", 64),
        // Each of two has a part of it.
        ("dictionary C dictionary D x=0 while (true) {x+=1 D[x]=x C[x]=x}", 1 << 14),
        // The order of the keys.
        ("dictionary D x=0 while (true) {x+=1 D[x]=x if x==1 then key $k in D {true}}", 1 << 14),
    ] {
        let (error, sizes) = at_limit(query, 1 << 20);
        assert_eq!(error.as_deref(), Some(limit), "{query}");
        assert!(sizes.iter().all(|size| *size <= most), "{query}: {sizes:?}");
    }
}

/// The entries that outlive their games are counted over all of them.
#[test]
fn entries_of_all_games_have_a_limit() {
    let store = "x=0 while (x<1000) {x+=1 D[gamenumber*10000+x]=x}";
    for (query, failed) in [
        (format!("dictionary D {store}"), Some(4)),
        // What is there already takes no more.
        (format!("dictionary D {}", store.replace("gamenumber", "1")), None),
        (format!("local dictionary D {store}"), None),
        (format!("dictionary D {store} unbind D"), None),
    ] {
        let query = format!("initial {query}");
        let analysis = babson_lang::analyze(&query, Dialect::CQLI).expect("it is sound");
        let program = Program::compile(&analysis.query).expect("it is small");
        let mut machine = Machine::new(program.clone());
        let options = RunOptions { kept_entries: 1 << 17, ..RunOptions::default() };
        let mut reader = babson_pgn::Reader::new();
        let game = reader.read(LINE, babson_pgn::Needs::ALL);
        let error = (1..=20).find_map(|number| {
            let context = GameContext { number, last_number: None, options: &options };
            let error = machine.run(&game, &context).unwrap().error.clone();
            error.map(|error| (number, error))
        });
        assert_eq!(error.as_ref().map(|(number, _)| *number), failed, "{query}");
        if let Some((_, error)) = error {
            let limit = "the dictionaries hold more than 128 KiB of entries, the limit of a run";
            assert!(error.fatal && error.message == limit, "{error:?}");
        }
    }
}

/// What is stored again or removed is not there twice.
#[test]
fn entries_that_go_give_their_memory_back() {
    for (query, left) in [
        ("dictionary D x=0 while (x<200000) {x+=1 D[x%1000]=x}", 1000),
        ("dictionary D x=0 while (x<200000) {x+=1 D[x]=x unbind D[x]} D[1]=1 D[2]=2", 2),
        (
            "dictionary D x=0 while (x<200000) {x+=1 D[x]=x if x%1000==0 then unbind D} D[1]=1 D[2]=2",
            2,
        ),
    ] {
        assert_eq!(at_limit(query, 1 << 20), (None, vec![left]), "{query}");
    }
}

/// To put keys in order is work that grows with their number.
#[test]
fn the_order_of_keys_counts_as_steps() {
    let query = "dictionary D x=0 while (x<2000) {x+=1 D[x]=x} y=0 \
        while (true) {y+=1 D[0-y]=y message(\"x\") key $k in D {false}}";
    let options = RunOptions { steps: 1_000_000, ..RunOptions::default() };
    let outcome = run_as(&format!("initial {query}"), LINE, Dialect::CQLI, &options);
    assert!(outcome.error.is_some_and(|error| error.limit == Some(RunLimit::Steps)));
    let turns = outcome.messages.split(|byte| *byte == b'\n').count();
    assert!(turns < 500, "{turns}");
}

/// docs/src/language/dictionaries.md
#[test]
fn a_missing_key_of_an_intersection_begins_with_the_first_set() {
    for (declared, changes, result) in [
        ("local dictionary D", "D[1] &= A", "[]1"),
        ("dictionary int --> set D", "D[1] &= A", "[]1"),
        ("dictionary int --> set (union) D", "D[1] &= A", "[]1"),
        ("dictionary int --> set (intersection) D", "D[1] &= K", "e11"),
        ("dictionary int --> set (intersection) D", "D[1] &= A D[1] &= [KQkq]", "[d1,e1]1"),
        ("dictionary int --> set (intersection) D", "D[1] &= k D[1] &= K D[1] &= K", "[]1"),
        ("dictionary int --> set (intersection) D", "D[1] &= K unbind D[1] D[1] &= k", "e81"),
        // The other operators begin with nothing, whatever the rule.
        ("dictionary int --> set (intersection) D", "D[1] |= K", "e11"),
        ("dictionary int --> int (max) D", "D[1] += 3", "31"),
        ("dictionary int --> int (min) D", "D[1] *= 3", "01"),
        // The rule may be declared after the first use.
        ("dictionary int --> set D D[1] &= K", "dictionary int --> set (intersection) D", "e11"),
        ("local dictionary int --> set (intersection) D", "D[1] &= K", "e11"),
    ] {
        let query = format!("initial {declared} {changes} message quiet(D[1] #D)");
        let outcome = run_as(&query, LINE, Dialect::CQLI, &RunOptions::default());
        assert_eq!(outcome.error, None, "{query}");
        assert_eq!(String::from_utf8_lossy(&outcome.messages).trim_end(), result, "{query}");
    }
    let query = "dictionary int --> set (intersection) D D[1] &= K";
    let outcome = run_as(query, LINE, Dialect::CQL6, &RunOptions::default());
    assert!(outcome.error.is_some());
}

/// The message names what the query lacks, and a query with it runs.
#[test]
fn a_missing_key_of_cql6_names_the_first_value() {
    let outcome = |query: &str| run_as(query, LINE, Dialect::CQL6, &RunOptions::default());
    let error = outcome("dictionary D initial D[\"a\"] += 1").error.expect("no such key");
    assert_eq!(
        error.message,
        "the dictionary has no entry for this key: store a first value, as in \
         `if not D[k] then D[k] = 0`"
    );
    let mended = "dictionary D initial if not D[\"a\"] then D[\"a\"] = 0 D[\"a\"] += 1";
    assert_eq!(outcome(mended).error, None);
}
