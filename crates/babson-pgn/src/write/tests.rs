use super::*;
use crate::{Needs, Reader};

const TREE: &[u8] =
    b"[Event \"TREE\"]\n[Result \"*\"]\n\n1. e4 e5 (1... c5 2. Nf3 d6 (2... Nc6 3. d4) \
    3. d4 cxd4) (1... e6 2. d4) 2. Nf3 Nc6 3. Bb5 a6 *\n";

fn written(text: &[u8], added: &Annotated<'_>, layout: Layout) -> String {
    let mut reader = Reader::new();
    let game = reader.read(text, Needs::ALL);
    let mut out = Vec::new();
    write(&game, added, layout, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The sample of evaluation-and-output.md, section 8.2.
#[test]
fn tree_with_ids() {
    let mut comments: Vec<(u32, Vec<u8>)> = vec![(0, b"Game number 1".to_vec())];
    for id in 0..16u32 {
        if id >= 7 {
            comments.push((id, format!("id:{id}").into_bytes()));
        }
        comments.push((id, b"CQL".to_vec()));
    }
    let comments: Vec<(u32, &[u8])> = comments.iter().map(|(id, text)| (*id, &text[..])).collect();
    let added = Annotated {
        comments: &comments,
        ..Annotated::default()
    };
    let expected =
        "[Event \"TREE\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n\
[Black \"?\"]\n[Result \"*\"]\n
{Game number 1 CQL}
1.e4 {CQL} 1...e5 {CQL} ( 1...c5 {id:7 CQL} 2.Nf3 {id:8 CQL} 2...d6 {id:9 CQL} 
( 2...Nc6 {id:12 CQL} 3.d4 {id:13 CQL} ) 3.d4 {id:10 CQL} 3...cxd4 {id:11 CQL} 
) ( 1...e6 {id:14 CQL} 2.d4 {id:15 CQL} ) 2.Nf3 {CQL} 2...Nc6 {CQL} 3.Bb5 {CQL}
3...a6 {CQL} *\n\n\n";
    assert_eq!(written(TREE, &added, Layout::Cql6), expected);
}

#[test]
fn merging() {
    let text = "{first \u{e9}} 1. e4 {x} 1-0".as_bytes();
    let added = Annotated {
        comments: &[(1, b"a{b}"), (0, b"n"), (0, b"n"), (0, b"")],
        removed: &[1],
        ..Annotated::default()
    };
    let cql6 = written(text, &added, Layout::Cql6);
    assert!(
        cql6.ends_with("\n\n{first ?? n}\n1.e4 { a_b_} 1-0\n\n\n"),
        "{cql6}"
    );
    let cqli = written(text, &added, Layout::Cqli);
    assert!(
        cqli.ends_with("\n\n{first \u{e9}} {n} 1.e4 {a_b_} 1-0\n\n\n"),
        "{cqli}"
    );
    let untouched = written(text, &Annotated::default(), Layout::Cql6);
    assert!(
        untouched.ends_with("{first \u{e9}}\n1.e4 {x} 1-0\n\n\n"),
        "{untouched}"
    );
}

#[test]
fn tags_of_cql6() {
    let text = b"[FEN \"4k3/8/8/8/8/8/8/4K3 b - -\"]\n[SetUp \"1\"]\n[White \" van X,Y. (2433)\"]\n\
        [BlackRating \"5000\"]\n[ECO \"B00/01\"]\n[Date \"1999.1.2\"]\n[Zed \"z\"]\n[Result \"1-0\"]\n\n0-1";
    let added = Annotated {
        tags: &[(b"New", b"n"), (b"Zed", b"q")],
        ..Annotated::default()
    };
    assert_eq!(
        written(text, &added, Layout::Cql6),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"1999.01.02\"]\n[Round \"?\"]\n[White \"Van X, Y\"]\n\
[Black \"?\"]\n[Result \"0-1\"]\n[WhiteElo \"2433\"]\n[BlackRating \"4000\"]\n[ECO \"B00\"]\n\
[SetUp \"1\"]\n[Zed \"q\"]\n[New \"n\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"]\n\n0-1\n\n\n"
    );
    let plain = written(text, &added, Layout::Cqli);
    assert!(plain.contains("[White \" van X,Y. (2433)\"]"), "{plain}");
    assert!(
        plain.contains("[FEN \"4k3/8/8/8/8/8/8/4K3 b - -\"]\n[SetUp \"1\"]\n[BlackRating"),
        "{plain}"
    );
}

#[test]
fn glyphs_variation_comments_and_black_first() {
    let text =
        b"[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 7\"]\n\n7... Kd8! $7 {c} ({v} 7... Ke7?) 8. Kd1 *";
    let out = written(text, &Annotated::default(), Layout::Cql6);
    assert!(
        out.ends_with("\n\n7...Kd8 $1 $7 {c} ( {v} 7...Ke7 $2 ) 8.Kd1 *\n\n\n"),
        "{out}"
    );
}
