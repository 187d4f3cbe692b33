//! The text of zstd, by a decoder in Rust: for targets without a compiler of C.

use std::error::Error;
use std::io::{self, BufRead, Read};

use babson_vm::InputReason;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The text of all frames of a stream, one after another. Skippable frames are skipped.
pub(crate) struct ZstdFrames<R> {
    source: R,
    decoder: FrameDecoder,
    is_in_frame: bool,
}

impl<R: BufRead> ZstdFrames<R> {
    /// The text of this stream.
    pub(crate) fn new(source: R) -> ZstdFrames<R> {
        ZstdFrames { source, decoder: FrameDecoder::new(), is_in_frame: false }
    }

    /// Begins the next frame. Returns whether there is one.
    fn begin_frame(&mut self) -> io::Result<bool> {
        loop {
            if self.source.fill_buf()?.is_empty() {
                return Ok(false);
            }
            let length = match self.decoder.reset(&mut self.source) {
                Ok(()) => {
                    self.is_in_frame = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => u64::from(length),
                Err(error) => return Err(failure(error)),
            };
            let skipped = io::copy(&mut self.source.by_ref().take(length), &mut io::sink())?;
            if skipped < length {
                return Err(InputReason::Truncated.into_error());
            }
        }
    }

    /// Tests the checksum of the frame that has ended.
    fn end_frame(&mut self) -> io::Result<()> {
        self.is_in_frame = false;
        let stored = self.decoder.get_checksum_from_data();
        match stored.is_none_or(|sum| self.decoder.get_calculated_checksum() == Some(sum)) {
            true => Ok(()),
            false => Err(io::Error::new(io::ErrorKind::InvalidData, "its checksum is wrong")),
        }
    }
}

impl<R: BufRead> Read for ZstdFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.is_in_frame && !self.begin_frame()? {
                return Ok(0);
            }
            let read = self.decoder.read(buffer)?;
            if read > 0 {
                return Ok(read);
            }
            if self.decoder.is_finished() {
                self.end_frame()?;
                continue;
            }
            let some = BlockDecodingStrategy::UptoBytes(buffer.len());
            self.decoder.decode_blocks(&mut self.source, some).map_err(failure)?;
        }
    }
}

/// The error of the decoder, in our words if the data ends too early.
fn failure(error: FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(one) = cause {
        let is_end = |error: &io::Error| error.kind() == io::ErrorKind::UnexpectedEof;
        if one.downcast_ref().is_some_and(is_end) {
            return InputReason::Truncated.into_error();
        }
        cause = one.source();
    }
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the decoder makes of these bytes, read in pieces of this length.
    fn decoded(bytes: &[u8], piece: usize) -> io::Result<Vec<u8>> {
        let mut reader = ZstdFrames::new(bytes);
        let (mut text, mut buffer) = (Vec::new(), vec![0; piece]);
        loop {
            match reader.read(&mut buffer)? {
                0 => return Ok(text),
                read => text.extend_from_slice(&buffer[..read]),
            }
        }
    }

    fn text() -> Vec<u8> {
        (0..20_000)
            .flat_map(|game: u32| format!("[Round \"{game}\"]\n\n*\n\n").into_bytes())
            .collect()
    }

    #[test]
    fn all_frames_are_read_and_others_skipped() {
        let text = text();
        let (one, two) = text.split_at(text.len() / 3);
        let frame = |bytes: &[u8], level| zstd::encode_all(bytes, level).unwrap();
        let skippable = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9];
        let bytes = [&skippable[..], &frame(one, 1), &skippable, &frame(two, 19)].concat();
        for piece in [1, 100, 1 << 14, 1 << 20] {
            assert!(decoded(&bytes, piece).unwrap() == text, "{piece}");
        }
        assert_eq!(decoded(&[], 100).unwrap(), b"");
        assert_eq!(decoded(&frame(b"", 3), 100).unwrap(), b"");
    }

    /// Frames of each kind, and the text of those before each place where a frame may end.
    fn frames() -> (Vec<u8>, Vec<(usize, Vec<u8>)>) {
        let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
        encoder.include_checksum(true).unwrap();
        io::Write::write_all(&mut encoder, b"1. e4 e5 *\n").unwrap();
        let with_checksum = encoder.finish().unwrap();
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.include_contentsize(false).unwrap();
        io::Write::write_all(&mut encoder, &b"1. d4 d5 *\n".repeat(40)).unwrap();
        let without_length = encoder.finish().unwrap();
        let (mut bytes, mut text, mut ends) = (Vec::new(), Vec::new(), vec![(0, Vec::new())]);
        for (frame, of_frame) in [
            (with_checksum, b"1. e4 e5 *\n".to_vec()),
            (vec![0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0], Vec::new()),
            (without_length, b"1. d4 d5 *\n".repeat(40)),
            (vec![0x5f, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9], Vec::new()),
            (zstd::encode_all(&b""[..], 3).unwrap(), Vec::new()),
        ] {
            bytes.extend(frame);
            text.extend(of_frame);
            ends.push((bytes.len(), text.clone()));
        }
        (bytes, ends)
    }

    /// A source that gives its bytes in pieces of this length.
    struct Trickle<'b>(&'b [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(buffer.len());
            self.0.read(&mut buffer[..length])
        }
    }

    #[test]
    fn frames_may_come_in_pieces_of_any_length() {
        let (bytes, ends) = frames();
        let (_, text) = ends.last().unwrap();
        for piece in 1..=bytes.len() {
            let source = io::BufReader::with_capacity(piece, Trickle(&bytes, piece));
            let mut read = Vec::new();
            ZstdFrames::new(source).read_to_end(&mut read).unwrap();
            assert!(read == *text, "{piece}");
        }
    }

    #[test]
    fn frames_may_end_only_at_their_ends() {
        let (bytes, ends) = frames();
        for length in 0..=bytes.len() {
            let read = decoded(&bytes[..length], 100);
            match ends.iter().find(|(end, _)| *end == length) {
                Some((_, text)) => assert!(read.unwrap() == *text, "{length}"),
                None => {
                    let error = read.unwrap_err();
                    assert_eq!(InputReason::of(&error), InputReason::Truncated, "{length}");
                }
            }
        }
        // A skippable frame that promises more than there is.
        let error = decoded(&[0x50, 0x2a, 0x4d, 0x18, 0xff, 0xff, 0xff, 0xff, 9], 100).unwrap_err();
        assert_eq!(InputReason::of(&error), InputReason::Truncated);
    }

    #[test]
    fn what_follows_a_frame_must_be_a_frame() {
        let (bytes, _) = frames();
        for garbage in [&b"[Event \"x\"]"[..], b"\0\0\0\0\0\0\0\0", b"\x1f\x8b\x08\0\0\0\0\0"] {
            let error = decoded(&[&bytes, garbage].concat(), 100).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{error}");
            assert!(decoded(garbage, 100).is_err());
        }
    }

    /// Whatever a bit is changed to, the decoder ends.
    #[test]
    fn damaged_frames_do_not_hang() {
        let (bytes, _) = frames();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                let limit = 1 << 20;
                let mut read = Vec::new();
                let ended = ZstdFrames::new(&damaged[..]).take(limit).read_to_end(&mut read);
                assert!(ended.is_err() || (read.len() as u64) < limit, "{at}, {bit}");
            }
        }
    }

    /// A frame says how much memory its window takes, before it has as many bytes.
    #[test]
    fn a_window_that_is_too_large_is_an_error() {
        let frame = [0x28, 0xb5, 0x2f, 0xfd, 0, 0xff, 0x01, 0, 0];
        let error = decoded(&frame, 100).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{error}");
    }

    #[test]
    fn data_that_ends_too_early_or_is_damaged_is_an_error() {
        let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
        encoder.include_checksum(true).unwrap();
        io::Write::write_all(&mut encoder, &text()).unwrap();
        let bytes = encoder.finish().unwrap();
        assert!(decoded(&bytes, 1 << 14).is_ok());
        for length in [1, 5, 100, bytes.len() / 2, bytes.len() - 5, bytes.len() - 1] {
            let error = decoded(&bytes[..length], 1 << 14).unwrap_err();
            assert_eq!(InputReason::of(&error), InputReason::Truncated, "{length}");
        }
        for at in [0, 8, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(decoded(&damaged, 1 << 14).is_err(), "{at}");
        }
    }
}
