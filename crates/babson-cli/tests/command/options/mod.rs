//! The words of the command line.

mod defaults;
mod help;
mod mistakes;
mod operands;
mod outputs;
mod searches;
