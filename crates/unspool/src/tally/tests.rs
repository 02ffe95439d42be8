use super::*;

fn costing(cost: f64) -> Models {
    vec![("m".to_owned(), ModelTokens { cost_usd: Some(cost), ..ModelTokens::default() })]
}

fn total(total: f64) -> Figures {
    Figures { total_cost_usd: Some(total), ..Figures::default() }
}

/// Results, each with its session; what each turn cost; what is noted of these costs.
fn check(mut tally: Tally, turns: Vec<(&str, Figures, Option<f64>, &str)>) {
    for (at, (session, figures, cost, notes)) in turns.into_iter().enumerate() {
        let bill = tally.take(session, figures);
        let noted = bill.notes.iter().filter(|note| note.field == "cost_usd").map(|note| &*note.reason);
        assert_eq!(
            (bill.cost_usd, noted.collect::<Vec<_>>().join(" ")),
            (cost, notes.to_owned()),
            "turn {at}"
        );
    }
}

#[test]
fn a_turn_costs_what_the_total_has_grown_by() {
    let turns = vec![
        ("s", total(0.1), Some(0.1), ""),
        ("s", total(0.3), Some(0.2), ""),
        ("other", total(0.1), Some(0.1), ""),
        ("s", total(0.0), Some(0.0), "total_below_highest"),
        ("s", total(0.4), Some(0.1), ""),
    ];
    check(Tally::default(), turns);
}

#[test]
fn what_was_spent_since_the_last_result_needs_no_total() {
    let since = |cost| Figures { since: Some(costing(cost)), ..total(0.9) };
    let turns = vec![("s", since(0.2), Some(0.2), ""), ("s", since(0.3), Some(0.3), "")];
    check(Tally { resumed: true, ..Tally::default() }, turns);
}

#[test]
fn what_is_not_known_is_noted() {
    let old = Figures { cost_usd: Some(0.2), ..Figures::default() };
    let turns = vec![
        ("s", Figures::default(), None, "not_reported"),
        ("s", old, Some(0.2), ""),
        ("s", Figures { models: Some(costing(0.1)), ..total(0.5) }, Some(0.5), "cost_models_disagree"),
    ];
    check(Tally::default(), turns);
    let resumed = Tally { resumed: true, ..Tally::default() };
    check(
        resumed,
        vec![("s", total(0.5), Some(0.5), "may_include_resumed"), ("s", total(0.6), Some(0.1), "")],
    );
}
