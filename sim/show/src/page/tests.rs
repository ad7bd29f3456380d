//! The policy of a page.

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
