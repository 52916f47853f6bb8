//! Games by the actions of `OpenSpiel`, compared with games that it played itself at random.

use serde_json::{Value, json};

use crate::program::millstone_reading;

/// In each line the returns of both players and the actions.
const GAMES: &str = include_str!("../data/openspiel_games.txt");

fn games() -> impl Iterator<Item = (Value, Vec<&'static str>)> {
    GAMES.lines().map(|line| {
        let (returns, actions) = line.split_once(": ").unwrap();
        let returns = returns.split(' ').map(|number| number.parse::<i32>().unwrap());
        (returns.collect(), actions.split(' ').collect())
    })
}

#[test]
fn legal_actions_and_returns_are_those_of_openspiel() {
    for (returns, actions) in games() {
        let prefixes = (0..=actions.len()).map(|plies| actions[..plies].join(" ") + "\n");
        let arguments = ["actions", "--json", "--no-search", "--no-tablebase"];
        let answers = millstone_reading(&prefixes.collect::<String>(), &arguments).json();
        assert_eq!(answers.len(), actions.len() + 1);
        for (answer, next) in answers.iter().zip(&actions) {
            let next: u64 = next.parse().unwrap();
            assert!(answer["legal"].as_array().unwrap().contains(&json!(next)), "{answer}");
            assert_eq!(answer["returns"], json!([0, 0]));
        }
        let last = answers.last().unwrap();
        assert_eq!((&last["legal"], &last["returns"]), (&json!([]), &returns), "{actions:?}");
    }
}

#[test]
fn lines_are_answered_by_the_action_to_play() {
    let ended =
        millstone_reading("\n4 19 13\n4 4\nx\n", &["actions", "--time", "20", "--no-tablebase"]);
    let answers: Vec<i32> = ended.out.lines().map(|line| line.parse().unwrap()).collect();
    let [first, second, -1, -1] = answers[..] else { panic!("{answers:?}") };
    assert!([first, second].iter().all(|action| (0..24).contains(action)), "{answers:?}");
    assert!(![4, 19, 13].contains(&second), "{answers:?}");
    let refusals = ["4", "x"].map(|word| format!("millstone: '{word}' is not a legal action\n"));
    assert_eq!(ended.error, refusals.concat());
    let over = games().next().unwrap().1.join(" ");
    assert_eq!(millstone_reading(&over, &["actions", "--no-tablebase"]).lines(), ["-1"]);
}

#[test]
fn games_are_converted_from_actions_and_back() {
    let lines = games().map(|(_, actions)| "actions ".to_owned() + &actions.join(" ") + "\n");
    let actions: String = lines.collect();
    let sgf = millstone_reading(&actions, &["convert", "--to", "sgf"]);
    assert_eq!(millstone_reading(&sgf.out, &["convert", "--to", "actions"]).out, actions);
}
