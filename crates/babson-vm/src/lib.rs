//! Babson's query machine: HIR to bytecode, the optimizer, the machine and its log of effects.
