//! The words of the API.
//!
//! A new word is a value of [`Word`] and a function in a file of its own; `../api.txt` explains it. Words
//! that search have two: one prepares the search, the other waits for an engine and searches.

mod about;
mod analysis;
mod events;
mod lesson;
mod position;
mod puzzle;
mod records;
mod request;
mod review;
mod turn;

use std::sync::Arc;

use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderMap};
use serde::de::DeserializeOwned;
use tokio::task::spawn_blocking;

use super::refusal::Refusal;
use super::reply::Reply;
use super::site::Site;
pub use about::about;

/// The version of the API.
pub const VERSION: u8 = 1;
/// Where the paths of the API begin; they end in its version.
pub const ROOT: &str = "/api/1";

/// What can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// Games, levels, notations and limits.
    About,
    /// What is on the board, and the legal moves.
    Position,
    /// What the engine plays.
    Move,
    /// The best moves and what each is worth, as the search goes on.
    Analysis,
    /// What the last turn did to the game.
    Lesson,
    /// A game compared with best play, turn by turn.
    Review,
    /// A position in which one turn keeps a win or a draw.
    Puzzle,
    /// The games of a text in any notation.
    Games,
    /// A game in a notation.
    Record,
}

/// The most bytes of a request about one game.
const SMALL: usize = 64 << 10;
/// The most bytes of a request with records.
const LARGE: usize = 1 << 20;

impl Word {
    /// All words with their paths below [`ROOT`].
    pub const ALL: [(&str, Self); 9] = [
        ("", Self::About),
        ("/position", Self::Position),
        ("/move", Self::Move),
        ("/analysis", Self::Analysis),
        ("/lesson", Self::Lesson),
        ("/review", Self::Review),
        ("/puzzle", Self::Puzzle),
        ("/games", Self::Games),
        ("/record", Self::Record),
    ];

    /// The word with a path below [`ROOT`].
    pub fn named(path: &str) -> Option<Self> {
        Self::ALL.iter().find(|(name, _)| *name == path).map(|(_, word)| *word)
    }

    /// The most bytes of a request.
    pub fn most_bytes(self) -> usize {
        match self {
            Self::About => 0,
            Self::Position | Self::Move | Self::Analysis | Self::Lesson | Self::Puzzle => SMALL,
            Self::Review | Self::Games | Self::Record => LARGE,
        }
    }
}

/// Refuses a body that does not say that it is JSON, as those of forms of other sites cannot.
pub fn check_type(headers: &HeaderMap) -> Result<(), Refusal> {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = given.split(';').next().unwrap_or_default().trim();
    if media_type.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let message = "expected the content type application/json";
    Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message))
}

/// Answers a word that has a body.
pub async fn answer(word: Word, site: Arc<Site>, body: Bytes) -> Result<Reply, Refusal> {
    match word {
        Word::About => Err(Refusal::of_method("GET, HEAD")),
        Word::Position => read(&site, body, position::answer).await,
        Word::Games => read(&site, body, records::read).await,
        Word::Record => read(&site, body, records::write).await,
        Word::Move => turn::answer(read(&site, body, turn::prepare).await?, site).await,
        Word::Analysis => analysis::answer(read(&site, body, analysis::prepare).await?, site).await,
        Word::Lesson => lesson::answer(read(&site, body, lesson::prepare).await?, site).await,
        Word::Review => review::answer(read(&site, body, review::prepare).await?, site).await,
        Word::Puzzle => puzzle::answer(read(&site, body, puzzle::prepare).await?, site).await,
    }
}

/// Reads a request and works on it, aside: its games may take long to play.
async fn read<R: DeserializeOwned + 'static, T: Send + 'static>(
    site: &Arc<Site>,
    body: Bytes,
    work: fn(&Site, &R) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let site = Arc::clone(site);
    let bad = |error| Refusal::bad(format!("the request: {error}"));
    aside(move || work(&site, &serde_json::from_slice(&body).map_err(bad)?)).await
}

/// Works on another thread, so that nobody else waits meanwhile.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let failed = |error| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, format!("{error}"));
    spawn_blocking(work).await.map_err(failed)?
}

#[cfg(test)]
mod tests {
    use super::records::MOST_GAMES;
    use super::request::{MOST_TIME, USUAL_TIME};
    use super::*;
    use crate::commands::serve::limits::{LONGEST, MOST_CONNECTIONS, PATIENCE};

    /// What each word takes and gives.
    const HELP: &str = include_str!("../api.txt");

    /// Whether a text says something, wherever its lines end.
    fn assert_says(text: &str, said: &str) {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(said), "{said}");
    }

    #[test]
    fn help_and_page_say_what_holds() {
        assert_eq!(ROOT, format!("/api/{VERSION}"));
        for said in [
            format!("at {ROOT}, where {VERSION} is the version"),
            format!("GET {ROOT} tells"),
            format!("that {ROOT} lists"),
            format!("Paths below {ROOT},"),
            format!("(milliseconds, at most {MOST_TIME}) [default: time {USUAL_TIME}]"),
            format!("at most {} milliseconds", LONGEST.as_millis()),
            format!("more than {MOST_GAMES}"),
            format!("nothing for {} seconds", PATIENCE.as_secs()),
            format!("body takes longer than {} seconds", PATIENCE.as_secs()),
            format!("of more than {MOST_CONNECTIONS} connections"),
        ] {
            assert_says(HELP, &said);
        }
        for (path, _) in &Word::ALL[1..] {
            assert!(HELP.contains(&format!("\n{path}: ")), "{path}");
        }
        assert_says(include_str!("../page/api.js"), &format!("const ROOT = \"{ROOT}\";"));
        assert_says(
            include_str!("../page/index.html"),
            &format!("<option value=\"{USUAL_TIME}\">"),
        );
    }
}
