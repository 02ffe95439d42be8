//! A program that was started before anybody knew what for.

use super::stage::on_some;
use unspool_client::rules::Rules;
use unspool_client::{Error, Handlers};

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_spare_program_is_claimed_for_a_folder() {
    let script = r#"turn = [{ call.Bash.command = "pwd > where.txt" }, { say = "Done." }]"#;
    on_some(
        script,
        |version| version == "2.1.325",
        async |stage| {
            let folder = stage.folder.join("elsewhere");
            std::fs::create_dir(&folder).unwrap();
            let spare = stage.claude().prewarm().await.unwrap();
            assert!(spare.is_alive());
            let mut session = spare.claim(&folder).await.unwrap();
            assert_eq!(session.ask("go").await.unwrap().text, "Done.");
            assert!(stage.has("elsewhere/where.txt"));
            session.close().await;

            let spare = stage.claude().prewarm().await.unwrap();
            let error = spare.claim(stage.folder.join("nowhere")).await.unwrap_err();
            assert!(matches!(error, Error::NotStarted(_)), "{error:?}");
            let rules = Handlers::new().rules(Rules::new().allow(["Read(src/**)"]).unwrap());
            let error = stage.claude().handlers(rules).prewarm().await.unwrap_err();
            assert_eq!(error.to_string(), "`prewarm` and `rules` exclude each other");
        },
    )
    .await;
}

/// Others have no such flag, and say so.
#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_version_that_cannot_wait_to_be_claimed_says_so() {
    on_some(
        r#"turn = [{ say = "Never." }]"#,
        |version| version != "2.1.325",
        async |stage| {
            let error = stage.claude().prewarm().await.expect_err(&stage.version);
            assert!(error.to_string().contains("--await-claim"), "{} {error}", stage.version);
        },
    )
    .await;
}
