//! The policy of a page, and what its style sheet and its pictures have to agree on.

use super::*;

#[test]
fn the_policy_names_the_style_and_the_script_that_are_there() {
    let page = frame::frame("<b>title</b>", &html! { p { "x" } });
    for (open, close) in [("<style>", "</style>"), ("<script>", "</script>")] {
        let (_, rest) = page.split_once(open).expect("it is there");
        let (text, _) = rest.split_once(close).expect("it ends");
        assert!(!text.contains("</"), "nothing in it ends it early");
        assert!(page.contains(&frame::source(text)), "{open} is what the policy allows");
    }
    assert!(page.contains("&lt;b&gt;title"), "a title is text");
    assert!(!page.contains("<b>title"), "a title is no element");
}

#[test]
fn the_rows_are_as_high_as_the_lanes_have_them() {
    let style = include_str!("style.css");
    assert!(style.contains(&format!(".row {{ height: {}px;", lanes::ROW)));
    assert!(
        style.contains(&format!(".rows ol {{ list-style: none; margin: {}px 0 0;", lanes::HEAD))
    );
}
