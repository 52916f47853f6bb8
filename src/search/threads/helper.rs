//! The two parts that a thread can have in a search: to ask, and to help.

use std::thread;

use super::Shared;
use crate::game::Game;
use crate::rules::Rules;
use crate::score::{Score, Window};
use crate::search::hooks::Features;
use crate::search::observer::Silent;
use crate::search::parameters::LEAST_ASKED_DEPTH;
use crate::search::root::RootMoves;
use crate::search::worker::{Stopped, Worker};

impl Shared<'_> {
    /// Lets so many threads help with a search, which is on this thread; a system that gives fewer
    /// of them makes it slower only.
    pub(in crate::search) fn with_helpers<R: Rules, F: Features, T>(
        &self,
        game: &Game<R>,
        helpers: usize,
        search: impl FnOnce() -> T,
    ) -> T {
        thread::scope(|scope| {
            for _ in 0..helpers {
                let help = || Worker::<R, F>::new(game, self, &mut Silent).help();
                let started =
                    thread::Builder::new().name("helper".to_owned()).spawn_scoped(scope, help);
                if let Err(error) = started {
                    log::warn!("expected {helpers} threads to help: {error}");
                    break;
                }
            }
            let _end = EndOfHelp(self);
            search()
        })
    }
}

/// Ends the work of the helpers when the search ends, even by a panic of its observer.
struct EndOfHelp<'a>(&'a Shared<'a>);

impl Drop for EndOfHelp<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// What the root is worth within a window, answered by whichever thread is first.
    pub(in crate::search) fn answer(
        &mut self,
        moves: &mut RootMoves,
        window: Window,
        depth: u32,
    ) -> Result<Score, Stopped> {
        if self.least_shared == u32::MAX || depth < LEAST_ASKED_DEPTH {
            return self.pass(moves, window, depth);
        }
        self.question = self.shared.questions.ask(moves, window, depth);
        let own = self.pass(moves, window, depth);
        self.question = 0;
        let answer = self.shared.questions.close();
        own.or_else(|stopped| {
            let (score, best_first) = answer.ok_or(stopped)?;
            moves.reorder(best_first);
            Ok(score)
        })
    }

    /// Looks for answers to one question after another until the search ends.
    pub(in crate::search) fn help(&mut self) {
        let shared = self.shared;
        while let Some(mut asked) = shared.questions.wait(|| shared.is_stopped()) {
            self.question = asked.number;
            self.may_end = asked.depth > self.limits.least_depth;
            let moves = &mut asked.moves;
            if let Ok(score) = self.pass(moves, asked.window, asked.depth) {
                shared.questions.answer(asked.number, score, asked.moves);
            }
        }
        self.add_to_tally();
    }

    /// Whether another thread has the answer, or there is none to be had any more.
    pub(in crate::search) fn is_superfluous(&self) -> bool {
        self.shared.is_stopped() || self.shared.questions.open() != self.question
    }
}
