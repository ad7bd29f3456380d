//! The markup of a page's part about a scenario, as journals keep it: whether it is made of what our pages
//! are made of.
//!
//! A journal may come from anybody, and its page is written as it is. So each element and each attribute
//! has to be one of those that our pages have, of which none runs, loads, sends or leads anywhere else, and
//! every element has to end in it. Whatever else there is, the journal is refused.

/// The elements.
const ELEMENTS: [&str; 41] = [
    "a", "br", "circle", "code", "dd", "details", "div", "dl", "dt", "em", "footer", "g", "h2",
    "h3", "header", "input", "kbd", "li", "line", "mark", "nav", "ol", "p", "path", "pre", "rect",
    "section", "small", "span", "strong", "summary", "svg", "table", "tbody", "td", "text", "th",
    "thead", "tr", "ul", "use",
];
/// Those of them that have no end.
const WITHOUT_END: [&str; 2] = ["br", "input"];
/// The attributes, besides those whose names begin with "aria-" or "data-".
const ATTRIBUTES: [&str; 25] = [
    "class",
    "cx",
    "cy",
    "d",
    "height",
    "hidden",
    "href",
    "id",
    "open",
    "placeholder",
    "r",
    "role",
    "rx",
    "start",
    "text-anchor",
    "title",
    "transform",
    "type",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
];

/// Whether a text is markup as our pages have it.
pub(super) fn is_ours(text: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    let mut parts = text.split('<');
    // The text before the first element has nothing to be looked at.
    parts.next();
    for part in parts {
        let Some((tag, _)) = part.split_once('>') else { return false };
        let is_good = match tag.strip_prefix('/') {
            Some(name) => open.pop() == Some(name),
            None => begins(tag).is_some_and(|name| {
                if !WITHOUT_END.contains(&name) {
                    open.push(name);
                }
                true
            }),
        };
        if !is_good {
            return false;
        }
    }
    open.is_empty()
}

/// The name of the element that begins with this tag, if all of it may be.
fn begins(tag: &str) -> Option<&str> {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    while !rest.is_empty() {
        let end = rest.find(['=', ' ']).unwrap_or(rest.len());
        let (attribute, after) = rest.split_at(end);
        let (value, after) = match after.strip_prefix("=\"") {
            Some(quoted) => quoted.split_once('"')?,
            None => ("", after),
        };
        if !may_be(name, attribute, value) {
            return None;
        }
        rest = match after.strip_prefix(' ') {
            Some(more) if !more.is_empty() => more,
            None if after.is_empty() => after,
            Some(_) | None => return None,
        };
    }
    ELEMENTS.contains(&name).then_some(name)
}

/// Whether an element may have an attribute with this value.
fn may_be(element: &str, attribute: &str, value: &str) -> bool {
    let is_plain = |name: &str| name.bytes().all(|it| it.is_ascii_lowercase() || it == b'-');
    let has_prefix = attribute.starts_with("aria-") || attribute.starts_with("data-");
    match attribute {
        // A link leads to another part of the page.
        "href" => value.starts_with('#'),
        "type" => element == "input" && matches!(value, "search" | "text" | "radio"),
        _ => ATTRIBUTES.contains(&attribute) || (has_prefix && is_plain(attribute)),
    }
}

#[cfg(test)]
mod tests {
    use super::is_ours;

    #[test]
    fn markup_of_others_is_told_from_ours() {
        for ours in [
            "",
            "text &lt;b&gt; \" = ' &amp;",
            "<p class=\"shows\">a &lt;script&gt;</p><br><details open><summary>b</summary></details>",
            "<a href=\"#run-0-1\" title=\"a &gt; b\">c</a>",
            "<svg aria-hidden=\"true\" width=\"1\"><path d=\"M1 1\"></path></svg>",
        ] {
            assert!(is_ours(ours), "{ours}");
        }
        for foreign in [
            "<script>alert(1)</script>",
            "<SCRIPT>alert(1)</SCRIPT>",
            "<img src=\"x\">",
            "<p onclick=\"alert(1)\">a</p>",
            "<p style=\"color:red\">a</p>",
            "<p class=shows>a</p>",
            "<p class='shows'>a</p>",
            "<a href=\"#\" title=\"a > b\">a</a>",
            "<p\nclass=\"shows\">a</p>",
            "<p/onclick=\"alert(1)\">a</p>",
            "<a href=\"https://example.org\">a</a>",
            "<a href=\"javascript:alert(1)\">a</a>",
            "<input type=\"image\">",
            "<form action=\"#\"></form>",
            "<!-- a -->",
            "<![CDATA[a]]>",
            "</main><p>a</p>",
            "<p>a",
            "<p>a</div>",
            "<p",
            "<p class=\"a>b",
            "< p>a</ p>",
            "<>a</>",
        ] {
            assert!(!is_ours(foreign), "{foreign}");
        }
    }
}
