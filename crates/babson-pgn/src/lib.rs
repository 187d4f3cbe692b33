//! Babson's PGN: a zero-copy reader, the splitter at game boundaries, game trees and the writer.
