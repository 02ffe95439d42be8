//! What the doctor finds in versions that we were tested with.

use super::stage::{all, on};

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn the_doctor_knows_every_line() {
    on(all, "turn = [{ say = \"hello\" }]", |stage| {
        let ran = stage.run(&["doctor", "--json"]);
        assert_eq!(ran.code, Some(0), "{} {ran:?}", stage.version);
        let told: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(told["version"], *stage.version);
        assert_eq!(told["turn"]["unknown"], serde_json::json!({}), "{told}");
        for list in ["unknown_fields", "missing"] {
            assert_eq!(told["turn"][list], serde_json::json!([]), "{told}");
        }
    });
}
