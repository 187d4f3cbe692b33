use babson_lang::{Dialect, analyze};

use super::*;
use crate::{FileSink, Input, Job, Settings, Silent, Task, scan};

fn headings(list: &str) -> Result<Vec<String>, String> {
    let columns = Columns::parse(list).map_err(|error| error.to_string())?;
    Ok(columns.headings().map(str::to_owned).collect())
}

fn job(query: &str) -> Job {
    Job::new(&analyze(query, Dialect::CQLI).unwrap().query).unwrap()
}

#[test]
fn lists() {
    for (list, parsed) in [
        ("game", vec!["game"]),
        (" Game , next.SAN,tag:WhiteElo", vec!["Game", "next.SAN", "WhiteElo"]),
        ("white,tag:White,TAG:white", vec!["white", "White", "tag:white"]),
        ("\"sort:a, \"\"b\"\"\",fen", vec!["a, \"b\"", "fen"]),
        ("sort:\"a, b\" , fen", vec!["a, b", "fen"]),
        ("result,sort:result,tag:result", vec!["result", "sort:result", "tag:result"]),
        ("file,input", vec!["file", "input"]),
    ] {
        let parsed: Vec<String> = parsed.into_iter().map(str::to_owned).collect();
        assert_eq!(headings(list), Ok(parsed), "{list}");
    }
}

#[test]
fn lists_with_errors() {
    for (list, part) in [
        ("", "the name of a column is missing; the columns are game, input, number,"),
        ("game,,fen", "the name of a column is missing"),
        ("game,", "the name of a column is missing"),
        ("tag:", "did you mean tag:NAME, for instance tag:Opening?"),
        ("whit", "'whit' is not a column; did you mean white?"),
        ("nextsan", "did you mean next.san?"),
        ("Opening", "did you mean eco, or tag:Opening if the games have it?"),
        ("opening", "did you mean eco, or tag:Opening if the games have it?"),
        ("eco1", "did you mean eco:1?"),
        (
            "materialkey",
            "did you mean field:materialkey, with field(\"materialkey\" materialkey) in",
        ),
        ("clk", "did you mean field:clk, with field(\"clk\" clk) in the query?"),
        // A filter that needs an operand, one without a value, and a piece.
        ("power", "'power' is not a column; the columns are"),
        ("check", "'check' is not a column; the columns are"),
        ("k", "'k' is not a column; the columns are"),
        ("mate", "'mate' is not a column; did you mean date?"),
        // Filters whose value is a column.
        ("gamenumber", "did you mean game?"),
        ("SideToMove", "did you mean side?"),
        ("Player_1", "did you mean tag:Player_1?"),
        ("elo", "did you mean white_elo?"),
        ("white.elo", "did you mean white_elo?"),
        ("zzzzzz", "'zzzzzz' is not a column; the columns are"),
        ("fen,game,fen", "the column fen is named twice"),
        ("\"game", "a quote is never closed"),
        ("\"game\"x,fen", "'x' comes after the quotes of a name"),
    ] {
        let error = headings(list).unwrap_err();
        assert!(error.contains(part), "{list}: {error}");
    }
    let error = headings("x").unwrap_err();
    assert!(error.ends_with("decade, eco:N, tag:NAME, sort:NAME and field:NAME"), "{error}");
}

fn names(sort_keys: &[&str], fields: &[&str]) -> ColumnNames {
    let all = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    ColumnNames { sort_keys: all(sort_keys), fields: all(fields) }
}

#[test]
fn sort_keys_and_fields_are_those_of_the_query() {
    let query = job("sort \"moves\" ply field(\"f\" ply)");
    let mut known = ColumnNames::of([&query.program]);
    assert_eq!(known, names(&["moves"], &["f"]));
    let columns = Columns::parse("sort:moves,field:f").unwrap();
    columns.check(&known).unwrap();
    known.add(&names(&["moves", "pieces"], &["g", "f"]));
    assert_eq!(known, names(&["moves", "pieces"], &["f", "g"]));
    let error = |known| columns.check(&known).unwrap_err().to_string();
    let missing = error(names(&["pieces"], &[]));
    assert_eq!(missing, "no query has a sort key called moves; there is pieces");
    assert!(error(names(&["move"], &[])).contains("did you mean move?"));
    let none = error(names(&[], &[]));
    assert!(none.ends_with("there is none: sort \"moves\" VALUE in a query makes one"), "{none}");
    let missing = error(names(&["moves"], &["g", "h"]));
    assert_eq!(missing, "no query has a field called f; there is g, h");
}

#[test]
fn standard_columns() {
    let columns = Columns::of_query(&names(&["result"], &["eco", "n"]));
    let expected = "game,input,number,id,ply,move,next,fen,comment,white,black,white_elo,black_elo,\
                    result,event,site,round,date,year,month,eco,offset,sort:result,field:eco,n\n";
    let style = CellStyle { separator: Separator::Comma, safe_csv: false };
    assert_eq!(head(&columns, style), expected);
    let columns = Columns::of_queries(&names(&["result", "pieces"], &[]));
    let headings: Vec<&str> = columns.headings().collect();
    let found = (headings[0], &headings[22..]);
    assert_eq!(found, ("query", &["offset", "sort:result", "pieces"][..]));
}

#[test]
fn fields_are_those_of_the_position() {
    let query = "field(\"n\" ply) {wtm field(\"t\" \"white, =\")} or true";
    let [csv, json] = written(query, "ply,field:n,field:t");
    assert_eq!(csv, "ply,n,t\n0,0,\"white, =\"\n1,1,\n2,2,\"white, =\"\n");
    assert!(json.contains("{\"ply\": 1, \"n\": 1, \"t\": null}\n"), "{json}");
}

const GAMES: &str = "[White \"A \\\"x\\\" \\\\ B\"]\n[WhiteElo \"2700\"]\n\
    [FEN \"8/4P1k1/8/8/8/8/6K1/8 w - - 0 40\"]\n\n40. e8=N+ (40. e8=Q) 40... Kg6 *\n";

/// The outputs of a query for the columns, as CSV and JSON lines.
fn written(query: &str, list: &str) -> [String; 2] {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["x.csv", "x.jsonl"].map(|name| folder.path().join(name));
    let columns = Columns::parse(list).unwrap();
    let sink = |path| FileSink::at(path).unwrap().with_columns(columns.clone());
    let task = paths.iter().map(sink).fold(Task::new(job(query)), Task::sink);
    let games = Input::bytes("games.pgn", GAMES.as_bytes().to_vec());
    scan(&[games], vec![task], &Settings::default(), &mut Silent).unwrap();
    paths.map(|path| std::fs::read_to_string(path).unwrap())
}

#[test]
fn every_column_has_its_value() {
    let list = "game,file,number,offset,query,id,ply,movenumber,side,move,san,uci,next,next.san,\
                next.uci,fen,comment,white,tag:WhiteElo,black,sort:n,sort:t";
    let query = "move promote N sort \"n\" #P sort \"t\" \"text\" comment(\"here\")";
    let [csv, json] = written(query, list);
    assert_eq!(
        csv.lines().nth(1).unwrap(),
        "1,games.pgn,1,0,,0,0,40,white,,,,40.e8=N+,e8=N+,e7e8n,8/4P1k1/8/8/8/8/6K1/8 w - - 0 40,\
         n: 1; t: text; here; CQL,\"A \"\"x\"\" \\ B\",2700,,1,text"
    );
    let object: serde_json::Value = serde_json::from_str(json.trim_end()).unwrap();
    assert_eq!(object["white"], "A \"x\" \\ B");
    assert_eq!(object["n"], 1);
    assert_eq!(object["san"], serde_json::Value::Null);
    assert_eq!(object["movenumber"], 40);
    assert_eq!(object.as_object().unwrap().len(), 22);
    let [csv, _] = written("ply == 1", "move,san,uci,next.uci,side");
    assert_eq!(csv, "move,san,uci,next.uci,side\n40.e8=N+,e8=N+,e7e8n,g7g6,black\n");
}

#[test]
fn parts_of_tags() {
    for (date, eco, row) in [
        ("1999.05.02", "B90", "1999-05-02,1999,5,1990,B,B9,B90"),
        ("1999.5.?", "B90", ",1999,5,1990,B,B9,B90"),
        ("2004.??.??", "E", ",2004,,2000,E,E,E"),
        ("????.??.??", "?", ",,,,,,"),
        ("1999.02.30", "?", ",1999,2,1990,,,"),
        ("1999", r"É\\9", r",1999,,1990,É,É\,É\9"),
    ] {
        let query = format!("initial settag(\"Date\" \"{date}\") settag(\"ECO\" \"{eco}\")");
        let [csv, json] = written(&query, "date,year,month,decade,eco:1,eco:2,eco:3");
        assert_eq!(csv, format!("date,year,month,decade,eco:1,eco:2,eco:3\n{row}\n"));
        let year = row.split(',').nth(1).filter(|year| !year.is_empty()).unwrap_or("null");
        assert!(json.contains(&format!(", \"year\": {year}, \"month\": ")), "{json}");
    }
}

#[test]
fn a_tag_that_was_set_or_removed() {
    let query = "initial settag(\"ECO\" \"B90\") removetag(\"WhiteElo\")";
    let [csv, json] = written(query, "eco,white_elo");
    assert_eq!(csv, "eco,white_elo\nB90,\n");
    assert_eq!(json, "{\"eco\": \"B90\", \"white_elo\": null}\n");
}

/// An old name is the heading where it is used, and its cells are the same.
#[test]
fn aliases() {
    let [csv, json] = written("initial", "file,source,whiteelo,white_elo,tag:WhiteElo");
    assert_eq!(
        csv,
        "file,source,whiteelo,white_elo,WhiteElo\ngames.pgn,games.pgn,2700,2700,2700\n"
    );
    let cells = "\"whiteelo\": 2700, \"white_elo\": 2700, \"WhiteElo\": \"2700\"}\n";
    assert!(json.ends_with(cells), "{json}");
    for (index, info) in COLUMNS.iter().enumerate() {
        assert_eq!(schema::named(info.name), Some(info.column.clone()), "{}", info.name);
        for alias in info.aliases {
            assert_eq!(schema::named(alias), Some(info.column.clone()), "{alias}");
        }
        let others = COLUMNS[..index].iter().map(|other| &other.column);
        assert!(others.into_iter().all(|other| *other != info.column), "{}", info.name);
    }
}

/// The members of an object of a game, and of its positions, are columns in the order of the table,
/// and their values are the cells.
#[test]
fn objects_have_the_names_of_columns() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["x.jsonl", "y.jsonl"].map(|name| folder.path().join(name));
    let query = "ply == 1 settag(\"Date\" \"1999.5.2\") settag(\"Round\" \"7\")";
    let columns = Columns::of_query(&ColumnNames::default());
    let objects = FileSink::at(&paths[0]).unwrap();
    let rows = FileSink::at(&paths[1]).unwrap().with_columns(columns.clone());
    let task = Task::new(job(query)).sink(objects).sink(rows);
    let games = Input::bytes("games.pgn", GAMES.as_bytes().to_vec());
    scan(&[games], vec![task], &Settings::default(), &mut Silent).unwrap();
    let [object, row] = paths.map(|path| -> serde_json::Value {
        let text = std::fs::read_to_string(path).unwrap();
        serde_json::from_str(text.lines().next().unwrap()).unwrap()
    });
    assert_eq!(row["date"], "1999-05-02");
    let position = &object["positions"][0];
    for heading in columns.headings() {
        // The comments of a game are a list of its object.
        let value = match object.get(heading).or_else(|| position.get(heading)) {
            Some(value) => value,
            None if heading == "comment" => &object["comments"][0]["text"],
            None => panic!("{heading} is missing: {object}"),
        };
        assert_eq!(*value, row[heading], "{heading}");
    }
}

/// All rows of all games are one array, also none.
#[test]
fn an_array() {
    let folder = tempfile::tempdir().unwrap();
    let array = |query: &str, columns: Option<&str>| -> (String, Vec<serde_json::Value>) {
        let path = folder.path().join("x.json");
        let sink = FileSink::at(&path).unwrap();
        let sink = match columns {
            Some(list) => sink.with_columns(Columns::parse(list).unwrap()),
            None => sink,
        };
        let task = Task::new(job(query)).sink(sink);
        let games = Input::bytes("games.pgn", [GAMES, GAMES].join("\n").into_bytes());
        scan(&[games], vec![task], &Settings::default(), &mut Silent).unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        let items = serde_json::from_str(&text).unwrap();
        (text, items)
    };
    assert_eq!(array("false", None).0, "[\n]\n");
    assert_eq!(array("true", None).1.len(), 2);
    let (text, items) = array("true", Some("game,ply"));
    assert_eq!(items.len(), 6);
    assert!(
        text.starts_with("[\n{\"game\": 1, \"ply\": 0},\n{\"game\": 1, \"ply\": 1},\n"),
        "{text}"
    );
    assert!(text.ends_with("{\"game\": 2, \"ply\": 2}\n]\n"), "{text}");
}

#[test]
fn cells_between_tabs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tsv");
    let query = "initial settag(\"Event\" \"a\tb\") sort \"two\twords\" movenumber";
    let sink = FileSink::at(&path).unwrap();
    let columns = Columns::parse("white,event,next,eco,\"sort:two\twords\"").unwrap();
    let task = Task::new(job(query)).sink(sink.with_columns(columns));
    let games = Input::bytes("games.pgn", GAMES.as_bytes().to_vec());
    scan(&[games], vec![task], &Settings::default(), &mut Silent).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(
        text,
        "white\tevent\tnext\teco\ttwo\\twords\nA \"x\" \\\\ B\ta\\tb\t40.e8=N+\t\t40\n"
    );
}

/// Readers skip an empty line.
#[test]
fn a_row_is_never_empty() {
    let [csv, _] = written("ply == 0", "san");
    assert_eq!(csv, "san\n\"\"\n");
}

/// A table of matches has the same columns, as lists where they are of a position.
#[cfg(feature = "table")]
#[test]
fn tables_have_the_names_of_columns() {
    use babson_table::schema::{COLUMNS as OF_GAMES, MATCH_COLUMNS};
    let names: Vec<&str> = OF_GAMES.iter().chain(&MATCH_COLUMNS).map(|info| info.name).collect();
    for info in COLUMNS.iter().filter(|info| info.standard || info.column == Column::Query) {
        let count = names.iter().filter(|name| **name == info.name).count();
        assert_eq!(count, 1, "{}", info.name);
    }
}
