//! The rule options, by their plain values and by their protocol names.

/// What a game of the mill family may have its own way. The limits of drawn games are apart.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one field for each option")]
pub struct Rules {
    /// Men of each side.
    pub pieces_count: usize,
    /// A side with so many men or fewer, and none in hand, may fly.
    pub fly_piece_count: usize,
    /// Do those in hand count for that, so that a side with men in hand may fly?
    pub flying_counts_hand: bool,
    /// A side with fewer men, on the board and in hand together, has lost.
    pub pieces_at_least_count: usize,
    /// Are the corners of the rings joined, by edges and lines?
    pub has_diagonal_lines: bool,
    /// What a mill closed by a placement does: 0 removes from the board, 1 from the hand, 2 too
    /// and goes on, 3 makes the opponent remove a man of its own, 4 marks, 5 waits.
    pub mill_formation_action_in_placing_phase: usize,
    /// May men slide while there are others in hand?
    pub may_move_in_placing_phase: bool,
    /// Does Black begin the moving phase?
    pub is_defender_move_first: bool,
    /// Does each line closed at once earn a removal?
    pub may_remove_multiple: bool,
    /// Do mills not protect?
    pub may_remove_from_mills_always: bool,
    /// May a man that slid to close a mill not slide back to close another?
    pub restrict_repeated_mills_formation: bool,
    /// Does a line of points that were all in mills before not count?
    pub one_time_use_mill: bool,
    /// When the last man fills the board: 0 White loses, 1 and 2 both remove, White or Black
    /// first, 3 one side removes, 4 draw.
    pub board_full_action: usize,
    /// Are the hands emptied when two points are left?
    pub stop_placing_when_two_empty_squares: bool,
    /// A side that can not move: 0 loses, 1 passes, 2 removes and moves, 3 removes, 4 draws,
    /// 5 removes, the opponent too, and moves.
    pub stalemate_action: usize,
    /// May a side with few men fly?
    pub may_fly: bool,
    /// Capture of a man between two others.
    pub custodian: Capture,
    /// Capture of two men by one between them.
    pub intervention: Capture,
    /// Capture of a man by leaping over it.
    pub leap: Capture,
}

/// The switches of one kind of capture without a mill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one field for each option")]
pub struct Capture {
    pub enabled: bool,
    pub on_square_edges: bool,
    pub on_cross_lines: bool,
    pub on_diagonal_lines: bool,
    pub in_placing_phase: bool,
    pub in_moving_phase: bool,
    pub only_when_own_pieces_leq3: bool,
}

impl Default for Rules {
    /// Nine Men's Morris.
    fn default() -> Self {
        Self {
            pieces_count: 9,
            fly_piece_count: 3,
            flying_counts_hand: false,
            pieces_at_least_count: 3,
            has_diagonal_lines: false,
            mill_formation_action_in_placing_phase: 0,
            may_move_in_placing_phase: false,
            is_defender_move_first: false,
            may_remove_multiple: false,
            may_remove_from_mills_always: false,
            restrict_repeated_mills_formation: false,
            one_time_use_mill: false,
            board_full_action: 0,
            stop_placing_when_two_empty_squares: false,
            stalemate_action: 0,
            may_fly: true,
            custodian: Capture::default(),
            intervention: Capture::default(),
            leap: Capture::default(),
        }
    }
}

impl Default for Capture {
    /// Off; once on, everywhere and at any time.
    fn default() -> Self {
        Self {
            enabled: false,
            on_square_edges: true,
            on_cross_lines: true,
            on_diagonal_lines: true,
            in_placing_phase: true,
            in_moving_phase: true,
            only_when_own_pieces_leq3: false,
        }
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
    /// If there is no such option, or the value is not one of its kind.
    pub fn set(&mut self, name: &str, value: &str) {
        if let Some(number) = self.number_named(name) {
            *number = value.parse().unwrap_or_else(|_| panic!("{name} is a number, not {value}"));
        } else if let Some(switch) = self.switch_named(name) {
            *switch = value.parse().unwrap_or_else(|_| panic!("{name} is a switch, not {value}"));
        } else {
            panic!("no rule option is called {name}");
        }
    }

    fn number_named(&mut self, name: &str) -> Option<&mut usize> {
        match name {
            "PiecesCount" => Some(&mut self.pieces_count),
            "flyPieceCount" => Some(&mut self.fly_piece_count),
            "PiecesAtLeastCount" => Some(&mut self.pieces_at_least_count),
            "MillFormationActionInPlacingPhase" => {
                Some(&mut self.mill_formation_action_in_placing_phase)
            }
            "BoardFullAction" => Some(&mut self.board_full_action),
            "StalemateAction" => Some(&mut self.stalemate_action),
            _ => None,
        }
    }

    fn switch_named(&mut self, name: &str) -> Option<&mut bool> {
        match name {
            "HasDiagonalLines" => Some(&mut self.has_diagonal_lines),
            "MayMoveInPlacingPhase" => Some(&mut self.may_move_in_placing_phase),
            "IsDefenderMoveFirst" => Some(&mut self.is_defender_move_first),
            "MayRemoveMultiple" => Some(&mut self.may_remove_multiple),
            "MayRemoveFromMillsAlways" => Some(&mut self.may_remove_from_mills_always),
            "RestrictRepeatedMillsFormation" => Some(&mut self.restrict_repeated_mills_formation),
            "OneTimeUseMill" => Some(&mut self.one_time_use_mill),
            "StopPlacingWhenTwoEmptySquares" => Some(&mut self.stop_placing_when_two_empty_squares),
            "MayFly" => Some(&mut self.may_fly),
            "FlyingCountsHand" => Some(&mut self.flying_counts_hand),
            _ => self.capture_switch_named(name),
        }
    }

    fn capture_switch_named(&mut self, name: &str) -> Option<&mut bool> {
        let (kind, switch) = name.split_once("Capture")?;
        match kind {
            "Custodian" => self.custodian.switch_named(switch),
            "Intervention" => self.intervention.switch_named(switch),
            "Leap" => self.leap.switch_named(switch),
            _ => None,
        }
    }
}

impl Capture {
    /// The switch whose name ends so.
    fn switch_named(&mut self, name: &str) -> Option<&mut bool> {
        match name {
            "Enabled" => Some(&mut self.enabled),
            "OnSquareEdges" => Some(&mut self.on_square_edges),
            "OnCrossLines" => Some(&mut self.on_cross_lines),
            "OnDiagonalLines" => Some(&mut self.on_diagonal_lines),
            "InPlacingPhase" => Some(&mut self.in_placing_phase),
            "InMovingPhase" => Some(&mut self.in_moving_phase),
            "OnlyWhenOwnPiecesLeq3" => Some(&mut self.only_when_own_pieces_leq3),
            _ => None,
        }
    }
}
