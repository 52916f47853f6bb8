//! What the terminal is able to show.

use std::env;

/// The columns of a page where the width of the terminal is not known.
pub const USUAL_WIDTH: usize = 80;

/// Whether the terminal only takes lines of text.
pub fn is_dumb() -> bool {
    env::var_os("TERM").is_some_and(|terminal| terminal == "dumb")
}

/// Keeps colours from terminals that only take text, also where `CI` is set, which otherwise asks for
/// them.
pub fn choose_colours() {
    if is_dumb() && env::var_os("CLICOLOR_FORCE").is_none() {
        anstream::ColorChoice::Never.write_global();
    }
}

/// Whether the terminal takes UTF-8, as far as the environment tells.
pub fn speaks_unicode() -> bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"];
    let locale = names.into_iter().filter_map(env::var_os).find(|value| !value.is_empty());
    let locale = locale.map(|value| value.to_string_lossy().to_ascii_lowercase().replace('-', ""));
    cfg!(windows) || locale.is_some_and(|locale| locale.contains("utf8"))
}

/// The columns of the terminal; none where there is none.
pub fn width() -> Option<usize> {
    terminal_size::terminal_size().map(|(terminal_size::Width(columns), _)| columns.into())
}
