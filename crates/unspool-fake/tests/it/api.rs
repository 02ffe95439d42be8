//! The model as a plain client sees it.

use crate::client::{ask, ask_plain, begin, get, model, send};
use serde_json::json;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use unspool_fake::SentKind;

const HI: &str = r#"{"role":"user","content":"hi"}"#;

#[tokio::test]
async fn a_stream_tells_a_message_piece_by_piece() {
    let model = model("[[turn]]\nthink = 'Hm.'\nsay = 'Hello!'\ncall.Bash.command = 'ls'").await;
    let answer = ask(&model, HI).await;
    assert_eq!((answer.status, answer.whole), (200, true));
    assert!(answer.head.contains("content-type: text/event-stream"), "{}", answer.head);
    assert!(answer.head.contains("request-id: req_fake_1"), "{}", answer.head);
    assert_eq!(
        answer.pieces()[1..],
        ["c2lnbmVkLWJ5LXRoZS1mYWtlLW1vZGVs", "Hello!", "", r#"{"command":"ls"}"#]
    );
    let names = answer.names();
    assert_eq!(names[..3], ["message_start", "ping", "content_block_start"]);
    assert_eq!(names[names.len() - 2..], ["message_delta", "message_stop"]);
    let (_, delta) = answer.events()[names.len() - 2];
    assert!(delta.contains(r#""stop_reason":"tool_use""#), "{delta}");
}

#[tokio::test]
async fn a_message_comes_whole_to_who_wants_no_stream() {
    let model = model("[[turn]]\nsay = 'Hello!'\ncall.Bash.command = 'ls'\nusage.output = 7").await;
    let answer = ask_plain(&model, HI).await;
    assert_eq!((answer.status, answer.whole), (200, true));
    let message = answer.json();
    assert_eq!(message["id"], "msg_fake_main_1");
    assert_eq!(
        message["content"],
        json!([
            {"type": "text", "text": "Hello!"},
            {"type": "tool_use", "id": "toolu_fake_main_1_2", "name": "Bash", "input": {"command": "ls"}},
        ])
    );
    let usage = &message["usage"];
    assert_eq!((&usage["input_tokens"], &usage["output_tokens"]), (&json!(101), &json!(7)));
}

#[tokio::test]
async fn half_a_character_is_sent_as_it_is_and_joined_where_it_can_be() {
    let model = model(
        r"[[turn]]
        say = [{ json = 'a \ud83d' }, { json = '\ude00 b' }]",
    )
    .await;
    let streamed = ask(&model, HI).await;
    assert!(streamed.body.contains(r#""text":"a \ud83d""#), "{}", streamed.body);
    assert_eq!(ask_plain(&model, HI).await.json()["content"][0]["text"], "a 😀 b");
    // And it may come back in the next request.
    let back = r#"{"role":"assistant","content":"a \ud83d"},{"role":"user","content":"hi"}"#;
    assert_eq!(ask(&model, &format!("{HI},{back}")).await.status, 200);
}

#[tokio::test]
async fn errors_have_their_status_type_and_headers() {
    let kinds = [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (403, "permission_error"),
        (404, "not_found_error"),
        (413, "request_too_large"),
        (429, "rate_limit_error"),
        (500, "api_error"),
        (529, "overloaded_error"),
    ];
    for (status, kind) in kinds {
        let script =
            format!("[[turn]]\nfail = {{ status = {status}, retry_after = 3, headers.x-more = 'yes' }}");
        let answer = ask(&model(&script).await, HI).await;
        assert_eq!((answer.status, answer.whole), (status, true));
        assert!(answer.head.contains("retry-after: 3\r\n"), "{}", answer.head);
        assert!(answer.head.contains("x-more: yes\r\n"), "{}", answer.head);
        let error = answer.json();
        assert_eq!((&error["type"], &error["error"]["type"]), (&json!("error"), &json!(kind)));
        assert_eq!(error["request_id"], "req_fake_1");
    }
}

#[tokio::test]
async fn a_failure_is_followed_by_the_next_turn() {
    let model =
        model("[[turn]]\nfail = 529\ntimes = 2\n[[turn]]\nsay = 'Well.'\nheaders.x-more = 'yes'").await;
    assert_eq!([ask(&model, HI).await.status, ask(&model, HI).await.status], [529, 529]);
    let answer = ask(&model, HI).await;
    assert_eq!((answer.status, &answer.pieces()[..]), (200, &["Well.".to_owned()][..]));
    assert!(answer.head.contains("x-more: yes"), "{}", answer.head);
}

#[tokio::test]
async fn a_cut_connection_is_not_whole_and_a_cut_stream_is() {
    for (cut, whole, plain) in [("connection", false, false), ("stream", true, true)] {
        let script = format!("[[turn]]\nsay = ['This is ', {{ cut = '{cut}' }}, 'never said']");
        let model = model(&script).await;
        let answer = ask(&model, HI).await;
        assert_eq!((answer.status, answer.whole), (200, whole), "{cut}");
        assert_eq!(answer.pieces(), ["This is "]);
        assert_eq!(answer.names().last().unwrap(), "content_block_delta");
        assert_eq!(model.sent().last().unwrap().kind, SentKind::Cut);

        model.reset();
        let answer = ask_plain(&model, HI).await;
        assert_eq!((answer.status, answer.whole), (200, plain), "{cut}");
        assert!(answer.body.starts_with('{') && !answer.body.ends_with('}'), "{}", answer.body);
    }
}

#[tokio::test]
async fn an_error_in_mid_stream_is_an_event_or_a_status() {
    let model = model("then = 'repeat'\n[[turn]]\nsay = ['Hm', { error = 'overloaded_error' }]").await;
    let answer = ask(&model, HI).await;
    assert_eq!(answer.events().last().unwrap().0, "error");
    assert!(answer.whole && answer.body.contains("Overloaded"));
    assert_eq!(ask_plain(&model, HI).await.status, 529);
}

#[tokio::test]
async fn pauses_are_kept() {
    let model = model("[[turn]]\nsay = ['Wait', { pause = 0.3 }, ' for it.']\nwait = 0.2").await;
    for answer in [ask(&model, HI).await, ask_plain(&model, HI).await] {
        assert!(answer.took >= Duration::from_millis(500), "{:?}", answer.took);
    }
    let sent = model.sent();
    let deltas: Vec<_> = sent.iter().filter(|it| it.name == "content_block_delta").collect();
    assert!(deltas[1].at_ms - deltas[0].at_ms >= 290, "{deltas:?}");
}

#[tokio::test]
async fn a_part_arrives_when_it_is_sent() {
    let model = model("[[turn]]\nsay = ['first', { pause = 60 }, 'second']").await;
    let body = format!(r#"{{"model":"m","stream":true,"messages":[{HI}]}}"#);
    let mut stream = begin(&model, "POST", "/v1/messages", &body).await;
    let mut seen = String::new();
    while !seen.contains("first") {
        let mut piece = [0; 4096];
        let length = stream.read(&mut piece).await.unwrap();
        assert_ne!(length, 0, "{seen}");
        seen.push_str(std::str::from_utf8(&piece[..length]).unwrap());
    }
    assert!(!seen.contains("second"));
    // Who goes away is noted, long before the pause is over.
    drop(stream);
    let gone = async {
        while model.sent().last().unwrap().kind != SentKind::Gone {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), gone).await.expect("it is not noted");
}

#[tokio::test]
async fn conversations_run_side_by_side() {
    let script = "
        [[conversation]]
        when.prompt = 'one'
        turn = [{ say = ['1', { pause = 0.3 }] }, { say = '2' }]
        [[conversation]]
        when.system = 'You are B'
        turn = [{ say = 'b' }]";
    let model = model(script).await;
    let slow = ask(&model, r#"{"role":"user","content":"one"}"#);
    let quick = async {
        let more = r#"{"role":"user","content":"one"},{"role":"assistant","content":"1"},{"role":"user","content":"and"}"#;
        let second = ask(&model, more).await.pieces();
        let body = r#"{"model":"m","system":[{"type":"text","text":"You are B."}],"stream":true,"messages":[{"role":"user","content":"x"}]}"#;
        (second, send(&model, "POST", "/v1/messages", body).await.pieces())
    };
    let (slow, quick) = tokio::join!(slow, quick);
    assert_eq!((slow.pieces(), quick), (vec!["1".into()], (vec!["2".into()], vec!["b".into()])));
}

#[tokio::test]
async fn a_sub_agent_is_started_by_the_tool_that_is_there() {
    let script = "
        [[turn]]
        agent = { prompt = 'look in the kitchen', description = 'Look', type = 'Explore' }
        [[conversation]]
        when.prompt = 'kitchen'
        turn = [{ say = 'Clean.' }]";
    let model = model(script).await;
    let call = |properties: &str, name: &str| {
        format!(
            r#"{{"model":"m","messages":[{HI}],"tools":[{{"name":"{name}","input_schema":{{"properties":{properties}}}}}]}}"#
        )
    };
    for (body, name, input) in [
        (call("{}", "Task"), "Task", json!({"prompt": "look in the kitchen", "description": "Look"})),
        (
            call(r#"{"subagent_type":{},"run_in_background":{}}"#, "Agent"),
            "Agent",
            json!({"prompt": "look in the kitchen", "description": "Look", "subagent_type": "Explore", "run_in_background": false}),
        ),
    ] {
        let message = send(&model, "POST", "/v1/messages", &body).await.json();
        assert_eq!((&message["content"][0]["name"], &message["content"][0]["input"]), (&json!(name), &input));
    }
    let agent = r#"{"role":"user","content":"look in the kitchen"}"#;
    assert_eq!(ask(&model, agent).await.pieces(), ["Clean."]);
}

#[tokio::test]
async fn the_folder_of_the_cli_is_put_into_calls() {
    let model = model("[[turn]]\ncall.Read.file_path = '${cwd}/a'").await;
    let body = format!(r#"{{"model":"m","system":"Working directory: /home/user\nx","messages":[{HI}]}}"#);
    let message = send(&model, "POST", "/v1/messages", &body).await.json();
    assert_eq!(message["content"][0]["input"]["file_path"], "/home/user/a");
}

#[tokio::test]
async fn an_id_is_the_same_in_every_run_and_never_twice_in_a_session() {
    for _ in 0..2 {
        let model = model("then = 'repeat'\n[[turn]]\ncall.Bash.command = 'ls'").await;
        let ids = [ask_plain(&model, HI).await, ask_plain(&model, HI).await].map(|answer| {
            let message = answer.json();
            [message["id"].clone(), message["content"][0]["id"].clone()]
        });
        assert_eq!(ids[0], ["msg_fake_main_1", "toolu_fake_main_1_1"]);
        assert_eq!(ids[1], ["msg_fake_main_1_again2", "toolu_fake_main_1_again2_1"]);
    }
}

#[tokio::test]
async fn tokens_are_counted() {
    let model = model("count_tokens = 1234\n[[turn]]\nsay = 'x'").await;
    let counted = send(&model, "POST", "/v1/messages/count_tokens?beta=true", "{}").await;
    assert_eq!(counted.json(), json!({"input_tokens": 1234}));
    // Which takes no turn of the script.
    assert_eq!(ask(&model, HI).await.pieces(), ["x"]);
}

const ASKED_TWICE: &str =
    r#"{"role":"user","content":"hi"},{"role":"assistant","content":"x"},{"role":"user","content":"and?"}"#;

#[tokio::test]
async fn what_comes_when_the_script_is_over_can_be_said() {
    for (then, says) in
        [("", "(the script is over)"), ("then = 'repeat'", "x"), ("then = { say = 'All.' }", "All.")]
    {
        let model = model(&format!("{then}\n[[turn]]\nsay = 'x'")).await;
        assert_eq!(ask(&model, ASKED_TWICE).await.pieces().concat(), says);
        assert!(model.failures().is_empty());
    }
    let model = model("then = 'fail'\n[[turn]]\nsay = 'x'").await;
    let answer = ask(&model, ASKED_TWICE).await;
    let why = "unspool: the script is over: conversation `main` has 1 turns, and one more was asked for";
    assert_eq!((answer.status, answer.json()["error"]["message"].as_str()), (400, Some(why)));
    assert_eq!(model.failures(), [why]);
}

#[tokio::test]
async fn a_request_that_no_conversation_takes_is_a_failure() {
    let model = model("[[conversation]]\nwhen.prompt = 'one'\nturn = [{ say = '1' }]").await;
    let answer = ask(&model, HI).await;
    let why = "unspool: no conversation of the script takes \"hi\"";
    assert_eq!((answer.status, answer.json()["error"]["message"].as_str()), (400, Some(why)));
    assert_eq!(model.failures(), [why]);
    assert_eq!(model.unplayed(), ["one"]);
}

#[tokio::test]
async fn a_request_that_is_none_is_refused() {
    let model = model("[[turn]]\nsay = 'x'").await;
    for (body, why) in
        [("not json", "the request body is not valid JSON"), ("{}", "messages: Field required")]
    {
        let answer = send(&model, "POST", "/v1/messages", body).await;
        assert_eq!((answer.status, answer.json()["error"]["message"].as_str()), (400, Some(why)));
    }
    assert_eq!(get(&model, "/v1/nothing").await.json()["error"]["type"], "not_found_error");
    assert_eq!(get(&model, "/").await.status, 200);
}

#[tokio::test]
async fn everything_that_was_asked_and_sent_can_be_asked_for() {
    let model = model("[[turn]]\nsay = 'Hello!'").await;
    let streamed = ask(&model, HI).await;

    let requests = model.requests();
    let request = &requests[0];
    assert_eq!((request.number, &*request.method, &*request.path), (1, "POST", "/v1/messages?beta=true"));
    assert_eq!((request.conversation.as_deref(), request.turn), (Some("main"), Some(1)));
    assert_eq!((request.status, &*request.does), (200, "say"));
    assert!(request.body.contains(HI), "{}", request.body);
    assert_eq!(request.headers.get("x-other").map(String::as_str), Some("seen"));
    assert_eq!(request.headers.get("x-api-key"), None);
    assert!(request.answer.contains(r#""content":[{"type":"text","text":"Hello!"}]"#), "{}", request.answer);

    let sent = model.sent();
    let events: Vec<(String, &str)> = sent.iter().map(|part| (part.name.clone(), &*part.data)).collect();
    let (end, events) = events.split_last().unwrap();
    assert_eq!(events, streamed.events());
    assert_eq!((end, sent.last().unwrap().kind), (&(String::new(), "null"), SentKind::End));

    let told = get(&model, "/__unspool/requests").await.json();
    assert_eq!(told[0]["body"]["messages"][0]["content"], "hi");
    assert_eq!(told[0]["answer"]["content"][0]["text"], "Hello!");
    let told = get(&model, "/__unspool/sent").await.json();
    assert_eq!((&told[0]["kind"], &told[0]["name"]), (&json!("event"), &json!("message_start")));
    assert_eq!(told[0]["data"]["message"]["id"], "msg_fake_main_1");
    assert_eq!(get(&model, "/__unspool/failures").await.json(), json!([]));
    assert_eq!(get(&model, "/__unspool/unplayed").await.json(), json!([]));
    assert_eq!(get(&model, "/__unspool/else").await.status, 404);
    // Questions about the play are no part of it.
    assert_eq!(model.requests().len(), 1);

    send(&model, "POST", "/__unspool/reset", "").await;
    assert!(model.requests().is_empty() && model.sent().is_empty());
    assert_eq!(model.unplayed(), ["main"]);
}

#[tokio::test]
async fn what_nobody_asked_for_is_known() {
    let script = "
        [[turn]]
        say = 'x'
        [[turn]]
        say = 'y'
        call.Bash.command = 'ls'
        [[conversation]]
        when.prompt = 'one'
        turn = [{ say = '1' }]";
    let model = model(script).await;
    ask(&model, HI).await;
    assert_eq!(model.unplayed(), ["main 2: say, call Bash", "one"]);
}

#[tokio::test]
async fn a_request_can_be_waited_for() {
    let model = model("[[turn]]\nsay = 'Hello!'").await;
    let (request, _) = tokio::join!(model.request(1), ask(&model, HI));
    assert_eq!(request.unwrap().does, "say");
    assert!(model.request(0).await.is_none());
    let (request, ()) = tokio::join!(model.request(2), async { model.reset() });
    assert!(request.is_none());
}

#[tokio::test]
async fn nothing_is_left_when_it_is_dropped() {
    let model = model("[[turn]]\nsay = ['a', { pause = 60 }]").await;
    let address = model.url().strip_prefix("http://").unwrap().to_owned();
    let body = format!(r#"{{"stream":true,"messages":[{HI}]}}"#);
    let mut stream = begin(&model, "POST", "/v1/messages", &body).await;
    model.request(1).await;
    drop(model);
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest).await;
    assert!(TcpStream::connect(&address).await.is_err());
}
