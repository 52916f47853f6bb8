//! `millstone serve`: the words of its API, what it refuses, and the page in a browser.

mod api;
mod browser;
mod hostile;
mod searches;
pub mod server;
