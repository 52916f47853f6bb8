//! The files of the page, which are part of the program.

use super::reply::{self, Reply};

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// A file: its path, its media type and what it holds.
type File = (&'static str, &'static str, &'static [u8]);

macro_rules! files {
    ($($media_type:ident $name:literal)*) => {
        [$((concat!("/", $name), $media_type, include_bytes!(concat!("page/", $name)))),*]
    };
}

const INDEX: &[u8] = include_bytes!("page/index.html");

const FILES: &[File] = &files! {
    SCRIPT "api.js"
    STYLE "board.css"
    SCRIPT "board.js"
    SCRIPT "dialogs.js"
    SCRIPT "elements.js"
    SCRIPT "game.js"
    SCRIPT "geometry.js"
    SCRIPT "graph.js"
    SCRIPT "hands.js"
    PICTURE "icon.svg"
    SCRIPT "input.js"
    SCRIPT "lessons.js"
    SCRIPT "list.js"
    SCRIPT "main.js"
    SCRIPT "marks.js"
    SCRIPT "memory.js"
    STYLE "page.css"
    SCRIPT "players.js"
    SCRIPT "puzzles.js"
    SCRIPT "review.js"
    SCRIPT "table.js"
    SCRIPT "truth.js"
    SCRIPT "values.js"
    SCRIPT "worths.js"
};

/// The file with a path, if there is one.
pub fn find(path: &str) -> Option<Reply> {
    if path == "/" {
        return Some(reply::file(HTML, INDEX));
    }
    let (_, media_type, content) = FILES.iter().find(|(name, ..)| *name == path)?;
    Some(reply::file(media_type, content))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_file_of_the_folder_is_served() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/commands/serve/page");
        for entry in fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let path = if name == "index.html" { "/".to_owned() } else { format!("/{name}") };
            assert!(find(&path).is_some(), "{name}");
        }
    }
}
