//! Pages for people: how to change Millstone, and how to have it play elsewhere.

#[doc = include_str!("contributing.md")]
pub mod contributing {}

#[doc = include_str!("managers.md")]
pub mod managers {}
