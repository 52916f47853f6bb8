//! Where the learning file is if nobody says otherwise.

use std::env;
use std::fs::File;
use std::path::{Path, PathBuf};

const NAME: &str = "endgame.txt";

/// The file beside the program, where mill programs have it, if it can be written there; else
/// the one in the user's folder for data. None if the system names no such folder.
#[must_use]
pub fn default_path() -> Option<PathBuf> {
    let program = env::current_exe().ok();
    let beside = program.as_deref().and_then(Path::parent);
    let data = dirs::data_local_dir().map(|data| data.join("millstone"));
    choose(beside, data)
}

fn choose(beside: Option<&Path>, data: Option<PathBuf>) -> Option<PathBuf> {
    let fits = |folder: &&Path| takes_files(folder) && takes_writes(&folder.join(NAME));
    let folder = beside.filter(fits).map(Path::to_owned).or(data);
    folder.map(|folder| folder.join(NAME))
}

/// Whether files can be made in a folder, which only trying tells.
fn takes_files(folder: &Path) -> bool {
    tempfile::tempfile_in(folder).is_ok()
}

/// Whether a file can be written, if it is there.
fn takes_writes(path: &Path) -> bool {
    let opened = File::options().write(true).open(path);
    opened.is_ok() || !path.exists()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_folder_of_the_program_comes_first_if_it_takes_files() {
        let folder = tempfile::tempdir().unwrap();
        let data = Some(PathBuf::from("data"));
        let chosen = choose(Some(folder.path()), data.clone());
        assert_eq!(chosen, Some(folder.path().join(NAME)));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left there");
        let file = folder.path().join(NAME);
        fs::create_dir(&file).unwrap();
        let own = Some(Path::new("data").join(NAME));
        assert_eq!(choose(Some(folder.path()), data.clone()), own, "what is there takes no writes");
        let missing = folder.path().join("missing");
        assert_eq!(choose(Some(&missing), data), own);
        assert_eq!(choose(None, None), None);
    }
}
