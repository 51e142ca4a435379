//! One file a command.

pub mod associate;
pub mod audit;
pub mod compare;
pub mod explain;
pub mod export;
pub mod gate;
pub mod humans;
pub mod inventory;
pub mod leakage;
pub mod logprobs;
pub mod mixed;
pub mod model;
pub mod report;
pub mod runs;
pub mod set;
pub mod verify;
