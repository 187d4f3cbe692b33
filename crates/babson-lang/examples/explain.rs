//! Prints the HIR of each query given on the command line, or of each line of standard
//! input.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "an example reads its arguments and prints"
)]

use std::io::BufRead;

use babson_lang::{Dialect, analyze, hir};

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let dialect = match args.iter().position(|arg| arg == "--cqli") {
        Some(i) => {
            args.remove(i);
            Dialect::CQLI
        }
        None => Dialect::CQL6,
    };
    let brief = args.is_empty();
    if brief {
        args = std::io::stdin()
            .lock()
            .lines()
            .map_while(Result::ok)
            .map(|l| l.replace('⏎', "\n"))
            .collect();
    }
    for query in args {
        match analyze(&query, dialect) {
            Ok(_) if brief => println!("ok"),
            Ok(analysis) => println!("{}", hir::print(&analysis.query)),
            Err(errors) => {
                println!("{}", query.replace('\n', "⏎"));
                for error in errors {
                    println!(
                        "  {}: {} [{}]",
                        error.span.text(&query),
                        error.message,
                        error.help.unwrap_or_default()
                    );
                }
            }
        }
    }
}
