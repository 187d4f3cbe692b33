//! Why slices and their results are refused.

/// Why an input cannot be cut into slices, or a slice not be searched:
/// [`Error::Slice`](crate::Error::Slice).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SliceRefusal {
    /// The input is not a file: standard input, say.
    #[error("only files can be cut into slices: save it to a file")]
    NotAFile,
    /// The name of the file is not UTF-8, as the data of a slice is.
    #[error("the name of an input of slices must be UTF-8")]
    NameNotUtf8,
    /// The input is a URL with a query, which may be a signature.
    #[error(
        "its URL has a query, which may be a secret that a plan would show: name it without one"
    )]
    SignedUrl,
    /// The slice has no ranges.
    #[error("it has no ranges, so it names no file to search: give a whole line of the plan")]
    NoRanges,
    /// The numbers of the slice contradict each other.
    #[error("it is not a slice: its numbers do not fit together")]
    Unsound,
    /// The slice was edited, or another version made it.
    #[error(
        "the slice does not have its checksum: it was edited, or another version of Babson made \
         it; give a whole line of a plan that this version made"
    )]
    WrongChecksum,
    /// The file has another length or other edges than the file that was cut.
    #[error(
        "it is not the file that was cut into slices, or it was changed since it was planned: make \
         a new plan"
    )]
    OtherFile,
    /// The text of the file is not the text that was cut.
    #[error("it was changed since it was planned, with the same length: make a new plan")]
    OtherText,
    /// The slice does not have the games that were planned.
    #[error(
        "slice {slice}, which begins in this file, has {games} games, but says that it has \
         {planned}: make a new plan"
    )]
    WrongCount {
        /// The number of the slice, from 0.
        slice: usize,
        /// How many games were read.
        games: u64,
        /// How many games the slice says that it has.
        planned: u64,
    },
}

/// Why the result of a slice cannot be merged: [`Error::SliceResult`](crate::Error::SliceResult).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartRefusal {
    /// It does not begin as a part does.
    #[error("it is not a part")]
    NotAPart,
    /// Its format is the one of another version.
    #[error("it is a part of another version of Babson")]
    OtherVersion,
    /// Its data is not what was written.
    #[error("it is damaged or cut short: search its slice again")]
    Damaged,
    /// It has more data than one part.
    #[error("more bytes follow the end of the part: search its slice again")]
    BytesAfterEnd,
    /// Most results are of another plan.
    #[error("it is of another plan than {usual}")]
    OtherPlan {
        /// The name of a result of the usual plan.
        usual: String,
    },
    /// It is not a result of the query and the options of the merge.
    #[error("it was searched with another query or other options{}", than(.usual))]
    OtherQuery {
        /// The name of a result with another query or other options, as most results have;
        /// `None` if all results differ from the merge.
        usual: Option<String>,
    },
    /// The number of its slice is not one of its plan.
    #[error("its slice is not in its plan")]
    NotInPlan,
    /// Two results are of one slice.
    #[error("it is of slice {slice}, and so is {other}")]
    SameSlice {
        /// The number of the slice, from 0.
        slice: usize,
        /// The name of the other result.
        other: String,
    },
    /// Slices have no results.
    #[error("{}", missing(.slices))]
    Missing {
        /// The first and the last number of each range of missing slices, from 0, in order.
        slices: Vec<(usize, usize)>,
    },
}

fn than(usual: &Option<String>) -> String {
    usual.as_ref().map(|usual| format!(" than {usual}")).unwrap_or_default()
}

/// A line of a plan is numbered from 1.
fn missing(slices: &[(usize, usize)]) -> String {
    let lines = number_list(slices, 1);
    let (part, line) = match slices {
        [(first, last)] if first == last => ("its part is", "line"),
        _ => ("their parts are", "lines"),
    };
    format!("{part} missing ({line} {lines} of the plan; slices are numbered from 0)")
}

/// Ranges of numbers with an offset, as `1,3-5`.
pub(crate) fn number_list(ranges: &[(usize, usize)], offset: usize) -> String {
    let range = |&(first, last): &(usize, usize)| match first == last {
        true => format!("{}", first + offset),
        false => format!("{}-{}", first + offset, last + offset),
    };
    ranges.iter().map(range).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    #[test]
    fn sentences_of_slices() {
        for (reason, sentence) in [
            (SliceRefusal::NotAFile, "only files can be cut into slices: save it to a file"),
            (SliceRefusal::NameNotUtf8, "the name of an input of slices must be UTF-8"),
            (
                SliceRefusal::NoRanges,
                "it has no ranges, so it names no file to search: give a whole line of the plan",
            ),
            (SliceRefusal::Unsound, "it is not a slice: its numbers do not fit together"),
            (
                SliceRefusal::WrongChecksum,
                "the slice does not have its checksum: it was edited, or another version of \
                 Babson made it; give a whole line of a plan that this version made",
            ),
            (
                SliceRefusal::OtherFile,
                "it is not the file that was cut into slices, or it was changed since it was \
                 planned: make a new plan",
            ),
            (
                SliceRefusal::OtherText,
                "it was changed since it was planned, with the same length: make a new plan",
            ),
            (
                SliceRefusal::WrongCount { slice: 1, games: 2, planned: 3 },
                "slice 1, which begins in this file, has 2 games, but says that it has 3: make a \
                 new plan",
            ),
        ] {
            let error = Error::Slice { input: "a.pgn".to_owned(), reason };
            assert_eq!(error.to_string(), format!("a.pgn: {sentence}"));
            // A program gets at the reason by a match, or as the source of the error.
            let source = std::error::Error::source(&error).unwrap();
            let Error::Slice { reason, .. } = &error else { panic!("{error:?}") };
            assert_eq!(source.downcast_ref::<SliceRefusal>(), Some(reason));
        }
    }

    #[test]
    fn sentences_of_results() {
        let name = || "b.part".to_owned();
        let from_zero = "of the plan; slices are numbered from 0";
        for (reason, sentence) in [
            (PartRefusal::NotAPart, "it is not a part".to_owned()),
            (PartRefusal::OtherVersion, "it is a part of another version of Babson".to_owned()),
            (PartRefusal::Damaged, "it is damaged or cut short: search its slice again".to_owned()),
            (
                PartRefusal::BytesAfterEnd,
                "more bytes follow the end of the part: search its slice again".to_owned(),
            ),
            (
                PartRefusal::OtherPlan { usual: name() },
                "it is of another plan than b.part".to_owned(),
            ),
            (
                PartRefusal::OtherQuery { usual: Some(name()) },
                "it was searched with another query or other options than b.part".to_owned(),
            ),
            (
                PartRefusal::OtherQuery { usual: None },
                "it was searched with another query or other options".to_owned(),
            ),
            (PartRefusal::NotInPlan, "its slice is not in its plan".to_owned()),
            (
                PartRefusal::SameSlice { slice: 4, other: name() },
                "it is of slice 4, and so is b.part".to_owned(),
            ),
            (
                PartRefusal::Missing { slices: vec![(2, 2)] },
                format!("its part is missing (line 3 {from_zero})"),
            ),
            (
                PartRefusal::Missing { slices: vec![(0, 1), (5, 5)] },
                format!("their parts are missing (lines 1-2,6 {from_zero})"),
            ),
        ] {
            let error = Error::SliceResult { name: "a.part".to_owned(), reason };
            assert_eq!(error.to_string(), format!("a.part: {sentence}"));
            let source = std::error::Error::source(&error).unwrap();
            let Error::SliceResult { reason, .. } = &error else { panic!("{error:?}") };
            assert_eq!(source.downcast_ref::<PartRefusal>(), Some(reason));
        }
    }
}
