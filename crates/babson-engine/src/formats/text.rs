//! The sink that hands over the text of each match.

use std::ops::ControlFlow;
use std::sync::Arc;

use babson_pgn::Needs;

use crate::job::Job;
use crate::match_text::MatchText;
use crate::sink::{
    Format, MatchedGame, Omitted, OutputRoom, Sink, SinkContext, SinkResult, TextSlice,
};

/// Hands over, in the order of the output, the text that a [`Format`] makes of each match.
///
/// The text is made on the threads that find the matches, and may be any bytes: a caller that keeps
/// something else of a match than a [`Match`](crate::Match) writes it there and reads it back. The
/// texts before the first match and after the last one are left out.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::sync::mpsc;
///
/// use babson_engine::{
///     Format, Input, Job, MatchText, MatchedGame, Omitted, Settings, Silent, Task, TextSink, scan,
/// };
/// use babson_lang::{Dialect, analyze};
///
/// /// The game as PGN.
/// struct Games;
///
/// impl Format for Games {
///     fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
///         matched.append_pgn(out.bytes())
///     }
/// }
///
/// let (sender, receiver) = mpsc::channel();
/// let sink = TextSink::new("games", Games, move |text| {
///     sender.send(text.to_vec())?;
///     Ok(ControlFlow::Continue(()))
/// });
/// let job = Job::new(&analyze("mate", Dialect::CQLI).unwrap().query).unwrap();
/// let games = Input::bytes("games", *b"1. f3 e5 2. g4 Qh4# 0-1\n");
/// let tasks = vec![Task::new(job).sink(sink)];
/// scan(&[games], tasks, &Settings::default(), &mut Silent)?;
/// assert!(String::from_utf8(receiver.recv()?)?.contains("Qh4# {CQL} 0-1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TextSink {
    name: String,
    format: Arc<dyn Format>,
    take: TextTaker,
    /// The text so far.
    text: Vec<u8>,
}

/// What takes the text of a match.
type TextTaker = Box<dyn FnMut(&[u8]) -> SinkResult<ControlFlow<()>> + Send>;

impl TextSink {
    /// A sink with this name in messages that calls `take` with the text of each match. If it
    /// breaks, the query ends with this match, as [`Sink::write`] says.
    pub fn new(
        name: impl Into<String>,
        format: impl Format + 'static,
        take: impl FnMut(&[u8]) -> SinkResult<ControlFlow<()>> + Send + 'static,
    ) -> TextSink {
        let format = Arc::new(MeasuredFormat(format));
        TextSink { name: name.into(), format, take: Box::new(take), text: Vec::new() }
    }
}

impl Sink for TextSink {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn format(&self) -> Option<Arc<dyn Format>> {
        Some(Arc::clone(&self.format))
    }

    fn begin(&mut self, _context: &SinkContext<'_>) -> SinkResult {
        Ok(())
    }

    fn write_text(&mut self, slice: TextSlice<'_>) -> SinkResult<ControlFlow<()>> {
        if slice.first {
            // Most texts come in one slice.
            if let Some(text) = whole(slice.bytes) {
                return (self.take)(text);
            }
            self.text.clear();
        }
        self.text.extend_from_slice(slice.bytes);
        match whole(&self.text) {
            Some(text) => (self.take)(text),
            None => Ok(ControlFlow::Continue(())),
        }
    }
}

/// The text after its length, if all of it has come.
fn whole(bytes: &[u8]) -> Option<&[u8]> {
    let (length, text) = bytes.split_first_chunk()?;
    (text.len() as u64 == u64::from_le_bytes(*length)).then_some(text)
}

/// A format with the length of each text before it: the slices of a text do not say which is the
/// last.
struct MeasuredFormat<F>(F);

impl<F: Format> Format for MeasuredFormat<F> {
    fn needs(&self, job: &Job) -> Needs {
        self.0.needs(job)
    }

    fn traces(&self, job: &Job) -> bool {
        self.0.traces(job)
    }

    fn comments(&self, job: &Job) -> bool {
        self.0.comments(job)
    }

    fn room(&self) -> OutputRoom {
        OutputRoom::UNLIMITED
    }

    fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
        let at = out.len();
        out.bytes().extend_from_slice(&[0; size_of::<u64>()]);
        let begin = out.mark();
        let omitted = self.0.append(matched, out);
        let length: usize = out.slices(begin, out.mark()).map(<[u8]>::len).sum();
        out.bytes()[at..][..size_of::<u64>()].copy_from_slice(&(length as u64).to_le_bytes());
        omitted
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::scan::tests::job;
    use crate::{Input, Settings, Silent, Task, scan};

    /// A text that is longer than a block of the spool in which sorted matches wait.
    struct LongText;

    impl Format for LongText {
        fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
            out.bytes().extend(vec![b'0' + matched.number as u8; 300_000]);
            Omitted::default()
        }
    }

    fn texts(query: &str, enough: usize) -> Vec<(u8, usize)> {
        let (sender, receiver) = mpsc::channel();
        let mut left = enough;
        let sink = TextSink::new("texts", LongText, move |text| {
            assert!(text.iter().all(|byte| *byte == text[0]));
            sender.send((text[0], text.len()))?;
            left -= 1;
            Ok(if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        });
        let games = Input::bytes("games", "1. e4 *\n\n".repeat(3).into_bytes());
        let tasks = vec![Task::new(job(query)).sink(sink)];
        scan(&[games], tasks, &Settings::default(), &mut Silent).unwrap();
        receiver.iter().collect()
    }

    #[test]
    fn a_long_text_is_handed_over_whole() {
        let all = [(b'1', 300_000), (b'2', 300_000), (b'3', 300_000)];
        assert_eq!(texts("initial", 9), all);
        let sorted = "initial sort \"last first\" gamenumber";
        assert_eq!(texts(sorted, 9), [all[2], all[1], all[0]]);
        assert_eq!(texts("initial", 2), all[..2]);
        assert_eq!(texts(sorted, 1), all[2..]);
    }
}
