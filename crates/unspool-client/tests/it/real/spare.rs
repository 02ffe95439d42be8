//! A program that was started before anybody knew what for.

use super::stage::on_some;

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
            let options = stage.options().skip_permissions(true).await_claim(true);
            let mut session = unspool_client::Claude::new(options).session().await.unwrap();
            let claimed = session.controls().claim_session(folder.to_str().unwrap()).await.unwrap();
            assert_eq!(claimed.read().cwd.unwrap(), folder.to_str().unwrap());
            assert_eq!(session.ask("go").await.unwrap().text, "Done.");
            assert!(stage.has("elsewhere/where.txt"));
            session.close().await;
        },
    )
    .await;
}
