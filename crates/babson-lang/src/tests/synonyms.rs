//! The queries of the synonyms.

use crate::keywords::Keyword;
use crate::synonyms::SYNONYMS;
use crate::{Dialect, analyze};

#[test]
fn every_query_is_one() {
    for synonym in SYNONYMS {
        let errors = analyze(synonym.query, Dialect::CQLI).err();
        assert!(errors.is_none(), "{}: {errors:?}", synonym.query);
        for query in synonym.note.split('`').skip(1).step_by(2) {
            // Words and symbols of the language are not queries of their own.
            let is_term = Keyword::from_word(query).is_some() || matches!(query, "-->" | ".*");
            assert!(is_term || analyze(query, Dialect::CQLI).is_ok(), "{query}");
        }
    }
}
