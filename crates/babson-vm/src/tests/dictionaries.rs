//! Dictionaries that change while a loop walks over them (cqli.md 9).

use babson_lang::Dialect;

use super::{LINE, run_as};
use crate::RunOptions;

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
        // Keys that go are visited all the same, and have no value then.
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
