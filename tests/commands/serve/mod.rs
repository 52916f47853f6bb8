//! `millstone serve`: the words of its API, and what it refuses.

mod api;
mod hostile;
mod searches;
mod server;
