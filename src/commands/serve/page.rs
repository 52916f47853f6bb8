//! The files of the page, which are part of the program.

use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use millstone::quote::quote;

use super::reply::Refusal;

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
    SCRIPT "archive.js"
    SCRIPT "arrows.js"
    SCRIPT "asking.js"
    STYLE "board.css"
    SCRIPT "board.js"
    SCRIPT "claims.js"
    STYLE "dialogs.css"
    SCRIPT "editor.js"
    SCRIPT "elements.js"
    SCRIPT "game.js"
    SCRIPT "geometry.js"
    SCRIPT "gestures.js"
    SCRIPT "graph.js"
    SCRIPT "hands.js"
    PICTURE "icon.svg"
    SCRIPT "input.js"
    SCRIPT "keys.js"
    STYLE "layout.css"
    SCRIPT "lessons.js"
    SCRIPT "link.js"
    SCRIPT "list.js"
    SCRIPT "main.js"
    SCRIPT "marks.js"
    SCRIPT "memory.js"
    SCRIPT "men.js"
    SCRIPT "new_game.js"
    SCRIPT "opening.js"
    SCRIPT "options.js"
    STYLE "page.css"
    STYLE "panels.css"
    SCRIPT "panels.js"
    SCRIPT "players.js"
    SCRIPT "puzzles.js"
    SCRIPT "review.js"
    SCRIPT "sentences.js"
    SCRIPT "settings.js"
    SCRIPT "sharing.js"
    SCRIPT "signs.js"
    SCRIPT "sound.js"
    SCRIPT "store.js"
    SCRIPT "table.js"
    SCRIPT "texts.js"
    SCRIPT "texts_de.js"
    SCRIPT "texts_en.js"
    SCRIPT "tree.js"
    SCRIPT "truth.js"
    SCRIPT "values.js"
    SCRIPT "worths.js"
};

/// Sends the file with the path that is asked for.
pub async fn answer(method: Method, uri: Uri) -> Response {
    let Some((media_type, content)) = find(uri.path()) else {
        let message = format!("there is no '{}'", quote(uri.path()));
        return Refusal::new(StatusCode::NOT_FOUND, message).into_response();
    };
    match method {
        Method::GET | Method::HEAD => ([(CONTENT_TYPE, media_type)], content).into_response(),
        _ => only("GET, HEAD"),
    }
}

/// Refuses a method that is not one of those that are allowed.
pub fn only(allowed: &'static str) -> Response {
    let message = format!("expected the method {allowed}");
    let refusal = Refusal::new(StatusCode::METHOD_NOT_ALLOWED, message);
    ([(ALLOW, allowed)], refusal).into_response()
}

/// The media type and content of the file with a path, if there is one.
fn find(path: &str) -> Option<(&'static str, &'static [u8])> {
    if path == "/" {
        return Some((HTML, INDEX));
    }
    let (_, media_type, content) = FILES.iter().find(|(name, ..)| *name == path)?;
    Some((media_type, content))
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
