//! The language front end of Babson: lexer, grammar, AST, diagnostics, types and HIR.
