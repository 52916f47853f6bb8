//! What a search leaves for the next one: its tree, as long as the game goes on as it foresaw.

use std::any::Any;

use super::tree::{ROOT, Tree};
use crate::game::Game;
use crate::position::Move;
use crate::rules::Rules;

/// The tree of the last search, if there was one.
#[derive(Default)]
pub(in crate::search) struct Kept(Option<Box<dyn Any + Send>>);

struct Past<R: Rules> {
    game: Game<R>,
    tree: Tree,
}

/// The turns after which a game is found again: one of each side.
const TURNS: u32 = 2;

impl Kept {
    /// Keeps the tree of a search.
    pub(super) fn put<R: Rules>(&mut self, game: &Game<R>, tree: Tree) {
        self.0 = Some(Box::new(Past { game: game.clone(), tree }));
    }

    /// Takes out the part of the tree below a game, if it has these moves at its root.
    pub(super) fn take<R: Rules>(&mut self, game: &Game<R>, moves: &[Move]) -> Option<Tree> {
        let past = self.0.take()?.downcast::<Past<R>>().ok()?;
        let root = past.tree.find(ROOT, &past.game, game, TURNS)?;
        let has_moves = past.tree.children(root).len() == moves.len()
            && past
                .tree
                .children(root)
                .all(|at| past.tree.node(at).mv.is_some_and(|mv| moves.contains(&mv)));
        has_moves.then(|| past.tree.below(root))
    }

    /// Forgets the tree.
    pub(in crate::search) fn clear(&mut self) {
        self.0 = None;
    }
}

impl Tree {
    /// The node at which a game stands that has gone on from the one at a node.
    fn find<R: Rules>(
        &self,
        at: usize,
        here: &Game<R>,
        wanted: &Game<R>,
        turns: u32,
    ) -> Option<usize> {
        if is_same(here, wanted) {
            return Some(at);
        }
        self.children(at).find_map(|child| {
            let node = self.node(child);
            let mv = node.mv.filter(|mv| node.is_expanded() && (turns > 0 || mv.is_removal()))?;
            let mut after = here.clone();
            after.play(mv).ok()?;
            self.find(child, &after, wanted, turns - u32::from(!mv.is_removal()))
        })
    }
}

/// Whether two games have the same future.
fn is_same<R: Rules>(a: &Game<R>, b: &Game<R>) -> bool {
    a.position() == b.position()
        && a.reversible_keys() == b.reversible_keys()
        && a.draw_rules() == b.draw_rules()
}
