//! What JavaScript calls.

use std::cell::RefCell;
use std::sync::Arc;

use babson_api::{ApiError, ErrorAnswer, ErrorCode, TextCall};
use wasm_bindgen::prelude::*;

use crate::calls;
use crate::database::{Database, Databases};
use crate::groups::GroupRun;
use crate::js_file::{FileBytes, JsFile};
use crate::opening;
use crate::search::SearchRun;
use crate::why::{self, WhyRun};

/// The types of bodies and answers, for TypeScript.
#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.ts");

thread_local! {
    /// The databases of the page. A worker has one module, and so one list.
    static DATABASES: RefCell<Databases> = RefCell::default();
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
    #[wasm_bindgen(js_namespace = console)]
    fn error(text: &str);
}

/// An answer, or the text of an error, which is thrown.
type Answer = Result<String, JsValue>;

fn thrown(error: ApiError) -> JsValue {
    let text = serde_json::to_string(&ErrorAnswer { error }).unwrap_or_default();
    JsValue::from_str(&text)
}

fn answer(made: Result<String, ApiError>) -> Answer {
    made.map_err(thrown)
}

/// Calls a function with the databases.
fn with_databases<T>(
    call: impl FnOnce(&mut Databases) -> Result<T, ApiError>,
) -> Result<T, JsValue> {
    let done = DATABASES.with(|databases| match databases.try_borrow_mut() {
        Ok(mut databases) => call(&mut databases),
        Err(_) => Err(ApiError::new(ErrorCode::Busy, "another call has the databases")),
    });
    done.map_err(thrown)
}

fn text_call(name: &str, body: &str) -> Answer {
    let call = TextCall::ALL.into_iter().find(|call| call.name() == name);
    let unknown = || ApiError::new(ErrorCode::Path, format!("there is no call `{name}`"));
    answer(call.ok_or_else(unknown).and_then(|call| call.answer(body)))
}

/// Tells the console why a call failed, since a panic ends it without a text.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| error(&panic.to_string())));
}

/// The version of Babson.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The diagnostics of a query: `{query}` to `{diagnostics, dialect}`.
#[wasm_bindgen]
pub fn check(body: &str) -> Answer {
    text_call("check", body)
}

/// What can be written at a place: `{query, offset}` to `{items}`.
#[wasm_bindgen]
pub fn complete(body: &str) -> Answer {
    text_call("complete", body)
}

/// What is known about a place: `{query, offset}` to `{span, markdown}` or `null`.
#[wasm_bindgen]
pub fn hover(body: &str) -> Answer {
    text_call("hover", body)
}

/// The query in the usual format: `{query}` to `{text}`.
#[wasm_bindgen]
pub fn format(body: &str) -> Answer {
    text_call("format", body)
}

/// The query in another form: `{query, to}` to `{text}`.
#[wasm_bindgen]
pub fn convert(body: &str) -> Answer {
    text_call("convert", body)
}

/// What a query searches: `{query}` to `{sentences, conditions, code}`.
#[wasm_bindgen]
pub fn explain(body: &str) -> Answer {
    text_call("explain", body)
}

/// Opens a database that is in memory: PGN, also as `.gz`, `.zst` or `.zip`, or a game table. It
/// takes the place of one with this name. The answer is what `databases` tells of it.
#[wasm_bindgen]
pub fn open(name: &str, bytes: Vec<u8>) -> Answer {
    let database = Database::read(name, bytes).map_err(thrown)?;
    with_databases(|databases| Ok(databases.add(database).to_json()))
}

/// Closes a database. Returns whether there was one of this name.
#[wasm_bindgen]
pub fn close(name: &str) -> Result<bool, JsValue> {
    with_databases(|databases| Ok(databases.close(name)))
}

/// The open databases: a list of `{name, games, bytes, columns}`.
#[wasm_bindgen]
pub fn databases() -> Answer {
    with_databases(|databases| Ok(databases.to_json()))
}

/// A game with its positions: `{database, game}` to `{game, tags, moves, pgn}`.
#[wasm_bindgen]
pub fn game(body: &str) -> Answer {
    with_databases(|databases| calls::game(databases, body))
}

/// What the filters of a query did at a position: `{query, database, game, ply}`. A query may take
/// its time for it; `Why` does it in slices of time.
#[wasm_bindgen]
pub fn why(body: &str) -> Answer {
    with_databases(|databases| why::why(databases, body))
}

/// How many games match, in groups: `{query, by}` to `{columns, rows, messages}`. It takes as long
/// as the search; `Groups` does it in slices of time.
#[wasm_bindgen]
pub fn group(body: &str) -> Answer {
    let mut groups = Groups::new(body)?;
    while !groups.done() {
        groups.step(f64::INFINITY);
    }
    groups.answer()
}

/// The opening of a file, in slices of time. PGN that is not compressed and game tables are read
/// where they are, whenever they are searched, and take no memory.
#[wasm_bindgen]
pub struct Opening(opening::Opening);

#[wasm_bindgen]
impl Opening {
    /// Begins to open the file as the database of this name.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, file: FileBytes) -> Opening {
        Opening(opening::Opening::new(name, Arc::new(JsFile::new(file))))
    }

    /// Goes on for some milliseconds. Returns whether it is done.
    pub fn step(&mut self, milliseconds: f64) -> Result<bool, JsValue> {
        self.0.step(milliseconds, &now).map_err(thrown)
    }

    /// How many bytes of text were read so far.
    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> f64 {
        self.0.done() as f64
    }

    /// The database is there from now on, in the place of one with this name. The answer is what
    /// `databases` tells of it.
    pub fn finish(self) -> Answer {
        let database = self.0.finish().map_err(thrown)?;
        with_databases(|databases| Ok(databases.add(database).to_json()))
    }
}

/// The counting of groups, in slices of time.
#[wasm_bindgen]
pub struct Groups(GroupRun);

#[wasm_bindgen]
impl Groups {
    /// Begins to count what the body asks for, as `POST /api/group` takes it.
    #[wasm_bindgen(constructor)]
    pub fn new(body: &str) -> Result<Groups, JsValue> {
        with_databases(|databases| GroupRun::new(databases, body)).map(Groups)
    }

    /// Goes on for some milliseconds. Returns a line of the type `progress`; nothing at the end.
    pub fn step(&mut self, milliseconds: f64) -> String {
        self.0.step(milliseconds, &now)
    }

    /// Whether all games are counted, or an error has ended it.
    #[wasm_bindgen(getter)]
    pub fn done(&self) -> bool {
        self.0.is_done()
    }

    /// Ends it: the answer is an error.
    pub fn cancel(&mut self) {
        self.0.cancel();
    }

    /// The table: `{columns, rows, messages}`.
    pub fn answer(self) -> Answer {
        answer(self.0.answer())
    }
}

/// What the filters of a query did at a position, in slices of time.
#[wasm_bindgen]
pub struct Why(WhyRun);

#[wasm_bindgen]
impl Why {
    /// Begins to answer the body, as `POST /api/why` takes it.
    #[wasm_bindgen(constructor)]
    pub fn new(body: &str) -> Result<Why, JsValue> {
        with_databases(|databases| WhyRun::new(databases, body)).map(Why)
    }

    /// Goes on for some milliseconds.
    pub fn step(&mut self, milliseconds: f64) {
        self.0.step(milliseconds, &now);
    }

    /// Whether the answer is there, or an error has ended it.
    #[wasm_bindgen(getter)]
    pub fn done(&self) -> bool {
        self.0.is_done()
    }

    /// Ends it: the answer is an error.
    pub fn cancel(&mut self) {
        self.0.cancel();
    }

    /// What the filters did.
    pub fn answer(self) -> Answer {
        answer(self.0.answer())
    }
}

/// A search in slices of time.
#[wasm_bindgen]
pub struct Search(SearchRun);

#[wasm_bindgen]
impl Search {
    /// Begins the search of a body, as `POST /api/search` takes it.
    #[wasm_bindgen(constructor)]
    pub fn new(body: &str) -> Result<Search, JsValue> {
        with_databases(|databases| SearchRun::new(databases, body)).map(Search)
    }

    /// Goes on for some milliseconds and returns the lines that came: one object a line. The last
    /// one has the type `summary` or `error`.
    pub fn step(&mut self, milliseconds: f64) -> String {
        self.0.step(milliseconds, &now)
    }

    /// Whether the last line has come.
    #[wasm_bindgen(getter)]
    pub fn done(&self) -> bool {
        self.0.is_done()
    }

    /// Ends the search: the next step gives its last line.
    pub fn cancel(&mut self) {
        self.0.cancel();
    }
}
