//! The rule options, by their protocol names.

use std::collections::BTreeMap;

/// What a game of the mill family may have its own way, by the names of the options. A switch that is on is 1.
/// The limits of drawn games are apart.
#[derive(Clone)]
pub struct Rules(BTreeMap<String, usize>);

/// The options, each as Nine Men's Morris has it.
const STANDARD: [(&str, usize); 16] = [
    // Men of each side.
    ("PiecesCount", 9),
    // A side with so many men or fewer, and none in hand, may fly.
    ("flyPieceCount", 3),
    // Those in hand count for that, so that a side with men in hand may fly.
    ("FlyingCountsHand", 0),
    // A side with fewer men, on the board and in hand together, has lost.
    ("PiecesAtLeastCount", 3),
    // The corners of the rings are joined, by edges and lines.
    ("HasDiagonalLines", 0),
    // What a mill closed by a placement does: 0 removes from the board, 1 from the hand, 2 too and goes on,
    // 3 makes the opponent remove a man of its own, 4 marks, 5 waits.
    ("MillFormationActionInPlacingPhase", 0),
    // Men may slide while there are others in hand.
    ("MayMoveInPlacingPhase", 0),
    // Black begins the moving phase.
    ("IsDefenderMoveFirst", 0),
    // Each line closed at once earns a removal.
    ("MayRemoveMultiple", 0),
    // Mills do not protect.
    ("MayRemoveFromMillsAlways", 0),
    // A man that slid to close a mill may not slide back to close another.
    ("RestrictRepeatedMillsFormation", 0),
    // A line of points that were all in mills before does not count.
    ("OneTimeUseMill", 0),
    // When the last man fills the board: 0 White loses, 1 and 2 both remove, White or Black first, 3 one side
    // removes, 4 draw.
    ("BoardFullAction", 0),
    // The hands are emptied when two points are left.
    ("StopPlacingWhenTwoEmptySquares", 0),
    // A side that can not move: 0 loses, 1 passes, 2 removes and moves, 3 removes, 4 draws, 5 removes, the
    // opponent too, and moves.
    ("StalemateAction", 0),
    // A side with few men may fly.
    ("MayFly", 1),
];

/// The kinds of capture without a mill: of a man between two others, of two men by one between them, by leaping.
const CAPTURES: [&str; 3] = ["CustodianCapture", "InterventionCapture", "LeapCapture"];

/// The switches of each: off; once on, everywhere and at any time.
const CAPTURE: [(&str, usize); 7] = [
    ("Enabled", 0),
    ("OnSquareEdges", 1),
    ("OnCrossLines", 1),
    ("OnDiagonalLines", 1),
    ("InPlacingPhase", 1),
    ("InMovingPhase", 1),
    ("OnlyWhenOwnPiecesLeq3", 0),
];

impl Default for Rules {
    fn default() -> Self {
        let mut options = BTreeMap::from(STANDARD.map(|(name, usual)| (name.to_owned(), usual)));
        for kind in CAPTURES {
            options.extend(CAPTURE.map(|(switch, usual)| (format!("{kind}{switch}"), usual)));
        }
        Self(options)
    }
}

impl Rules {
    /// The rules of a named game, by the options that differ from the standard ones.
    ///
    /// # Panics
    /// If no game has the name.
    pub fn named(name: &str) -> Self {
        let options = match name {
            "Nine Men's Morris" => "",
            "Twelve Men's Morris" => "PiecesCount=12 HasDiagonalLines=true",
            "Dooz" => "PiecesCount=12 HasDiagonalLines=true MillFormationActionInPlacingPhase=1",
            "Morabaraba" => "PiecesCount=12 HasDiagonalLines=true MayRemoveMultiple=true",
            "Russian Mill" => "OneTimeUseMill=true",
            "Lasker Morris" => "PiecesCount=10 MayMoveInPlacingPhase=true",
            "Cheng San Qi" => "MayFly=false",
            "Da San Qi" => {
                "PiecesCount=12 HasDiagonalLines=true MillFormationActionInPlacingPhase=4 \
                 IsDefenderMoveFirst=true MayRemoveFromMillsAlways=true MayFly=false"
            }
            "Zhi Qi" => "PiecesCount=12 HasDiagonalLines=true BoardFullAction=1 StalemateAction=2",
            "El Filja" => {
                "PiecesCount=12 MillFormationActionInPlacingPhase=5 MayRemoveFromMillsAlways=true \
                 BoardFullAction=1 MayFly=false"
            }
            "Experimental" => {
                "PiecesCount=12 HasDiagonalLines=true IsDefenderMoveFirst=true \
                 MayRemoveFromMillsAlways=true BoardFullAction=2 MayFly=false"
            }
            other => panic!("{other} is in no rule book"),
        };
        let mut rules = Self::default();
        for option in options.split_whitespace() {
            let (name, value) = option.split_once('=').unwrap();
            rules.set(name, value);
        }
        rules
    }

    /// Sets the option of that protocol name.
    ///
    /// # Panics
    /// If there is no such option, or the value is neither a number nor a switch.
    pub fn set(&mut self, name: &str, value: &str) {
        let option = self.0.get_mut(name);
        *option.unwrap_or_else(|| panic!("no rule option is called {name}")) = match value {
            "false" => 0,
            "true" => 1,
            number => number.parse().unwrap_or_else(|_| panic!("{name} is not {number}")),
        };
    }

    /// The number of an option.
    pub fn number(&self, name: &str) -> usize {
        self.0[name]
    }

    /// Is this switch on?
    pub fn is(&self, name: &str) -> bool {
        self.number(name) == 1
    }
}
