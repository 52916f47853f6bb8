//! The first words with an engine: what it speaks, and whether it takes its options.

use std::time::{Duration, Instant};

use super::{Player, READINESS, READY};
use crate::matches::dialect;
use crate::matches::fault::{Fault, FaultKind};
use crate::matches::spec::EngineSpec;
use crate::protocol::{Command, Dialect};
use crate::quote::quote;

/// How long an engine that is asked in one dialect may be silent before it is asked in another.
const DETECTION: Duration = Duration::from_secs(3);
/// The most options that an engine may have.
const MOST_OPTIONS: usize = 1000;

impl Player {
    /// Finds out what the engine speaks, if that is not known, and which options it has.
    ///
    /// An engine that is silent at first is asked in the other dialect, too; the last greeting that
    /// it understood counts.
    pub(super) fn greet(&mut self, spec: &EngineSpec) -> Result<Vec<String>, Fault> {
        let dialects = match spec.dialect {
            Some(dialect) => &[(dialect, READINESS)][..],
            None => &[(Dialect::Uci, DETECTION), (Dialect::Gbgp, READINESS)],
        };
        let mut known = Vec::new();
        let mut understood = None;
        let mut questions = 0;
        for &(dialect, patience) in dialects {
            self.dialect = dialect;
            self.send(&dialect::greeting(dialect));
            self.send(&Command::IsReady);
            questions += 1;
            let deadline = Instant::now() + patience;
            while let Some(line) = self.line_by(deadline)? {
                if let Some(id) = line.strip_prefix("id name ") {
                    self.id = quote(id);
                } else if let Some(option) = line.strip_prefix("option name ") {
                    let name = option.split_once(" type ").map_or(option, |(name, _)| name);
                    known.push(name.to_owned());
                    if known.len() > MOST_OPTIONS {
                        let message = format!("expected no more than {MOST_OPTIONS} options");
                        return Err(self.fault(FaultKind::Garbage, message));
                    }
                }
                let is_end = |dialect| line == dialect::end_of_greeting(dialect);
                understood = dialect::ALL.into_iter().find(|&it| is_end(it)).or(understood);
                questions -= u32::from(line == READY);
                if questions == 0 {
                    break;
                }
            }
            if let Some(dialect) = understood.filter(|_| questions == 0) {
                self.dialect = dialect;
                return Ok(known);
            }
        }
        let expected = dialect::end_of_greeting(self.dialect);
        Err(self.fault(FaultKind::Hang, format!("expected {expected} and {READY}")))
    }

    /// Notes which options the engine does not have and what errors it tells of until it is ready.
    pub(super) fn hear_warnings(
        &mut self,
        spec: &EngineSpec,
        known: &[String],
    ) -> Result<(), Fault> {
        for (name, _) in &spec.options {
            if !known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                self.warnings
                    .push(format!("expected an option that it has, found '{}'", quote(name)));
            }
        }
        self.send(&Command::IsReady);
        let deadline = Instant::now() + READINESS;
        while let Some(line) = self.line_by(deadline)? {
            if line == READY {
                return Ok(());
            }
            if let Some(error) = line.strip_prefix("info string error")
                && self.warnings.len() <= spec.options.len()
            {
                self.warnings.push(quote(error.trim_start_matches([':', ' '])));
            }
        }
        Err(self.fault(FaultKind::Hang, format!("expected {READY} after the options")))
    }
}
