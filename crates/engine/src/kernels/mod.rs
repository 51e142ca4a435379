//! The inner loops, where the bits are decided and the time goes.
//!
//! Question: how can every number be the same for any batch, order and number of threads, near the machine's limit?
//! Each kernel works on [`LANES`] tokens side by side, one token a lane: no sum ever crosses lanes, so a token's
//! numbers cannot depend on its neighbours, and every sum has one order, fixed by constants of the source. Threads
//! share out whole output elements, never a sum.
//!
//! Every kernel exists once as portable Rust and is compiled for each instruction set in [`Level`]; the matrix products
//! have hand-written tiles as well: `tile` (f32), `bf16` (pairs, `vdpbf16ps`), `q8` (bytes, `vpdpbusd`). `matmul` and
//! `q8_product` cut a product into tiles. All levels with fused multiply-add round alike in the same order: same bits.
//! `Portable` on x86-64 has no fused multiply-add and differs in the last places; the products of bytes need none.

#![allow(clippy::inline_always)] // a body is compiled for an instruction set only where it is inlined

mod activation;
mod bf16;
mod dispatch;
mod elementwise;
mod exp;
mod layer_norm;
mod level;
mod matmul;
mod q8;
mod q8_product;
mod reduce;
mod row;
mod span;
mod tile;
mod widen;

pub(crate) use activation::{Activation, activate, gated};
pub(crate) use bf16::{pair_up, round_swapped};
pub(crate) use elementwise::{Rotation, add_into, normalise, rotate, scale_cap};
pub(crate) use layer_norm::{Affine, centre_and_scale};
pub use level::Level;
pub(crate) use matmul::{BlockProduct, Operand, Output, ROW_BLOCK, Scratch};
pub(crate) use q8::{BLOCK, ByteBlock, quantise};
pub(crate) use q8_product::ByteOperand;
pub(crate) use reduce::{MaxSumExp, max_sum_exp};
pub(crate) use row::{Attend, attend};
pub(crate) use span::{AttendSpan, SpanBias, attend_span};
pub(crate) use widen::StoredRow;

use bytemuck::{Pod, Zeroable};

/// Tokens that a kernel works on side by side.
pub(crate) const LANES: usize = 32;

/// One feature of [`LANES`] tokens. Aligned so that a vector load never crosses a cache line.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub [f32; LANES]);

/// One word of each of [`LANES`] tokens: two features in bf16, or four in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct WordLanes(pub [u32; LANES]);

impl Lanes {
    pub(crate) const ZERO: Self = Self([0.0; LANES]);
    pub(crate) const ONE: Self = Self([1.0; LANES]);
}
