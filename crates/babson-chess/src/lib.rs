//! The chess core of Babson: positions, moves, move generation, SAN, FEN and Zobrist keys.
