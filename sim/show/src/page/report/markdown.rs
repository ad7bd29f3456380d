//! Markdown as a part of a page.
//!
//! What it quotes from files stays text: raw elements are shown as they are written. Links lead to
//! pages of the same folder, or are text. No style is written into an element, as the policy
//! forbids that.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_documents::Run;
use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{Alignment, CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::{
    super::{check::sketch, explained::cited},
    passages,
};
use crate::report::{self, Page, anchor, documents::PassageRow};

/// Runs by the diagrams or lines that stand for them in the Markdown.
pub(super) type Pictures<'a> = BTreeMap<String, &'a Run>;

/// The text of the page at `path` among `pages`, with these pictures in the place of their
/// descriptions.
pub(super) fn html(path: &str, text: &str, pages: &[Page], pictures: &Pictures<'_>) -> Markup {
    let events: Vec<Event<'_>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    let mut writer = Writer {
        path,
        pages,
        pictures,
        named: BTreeSet::new(),
        aligned: Vec::new(),
        column: 0,
        is_head: false,
        is_named: false,
        is_in_card: false,
    };
    let mut written = Vec::new();
    let mut rest = events.as_slice();
    while let [event, after @ ..] = rest {
        rest = after;
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))) if &**kind == "mermaid" => {
                let end = rest.iter().position(|it| *it == Event::End(TagEnd::CodeBlock));
                let (inside, after) = rest.split_at(end.unwrap_or(rest.len()));
                rest = after.get(1..).unwrap_or_default();
                written.push(raw(&writer.picture(inside)));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => {
                let end = rest.iter().position(|it| *it == Event::End(TagEnd::CodeBlock));
                let (inside, after) = rest.split_at(end.unwrap_or(rest.len()));
                rest = after.get(1..).unwrap_or_default();
                written.push(raw(&writer.picture(inside)));
            }
            Event::Start(Tag::Heading { .. }) => {
                written.extend(writer.end_card());
                writer.is_named = true;
                written.push(headed(event, rest));
            }
            Event::Start(Tag::Paragraph) if is_numbered(rest) => {
                written.extend(writer.end_card());
                writer.is_in_card = true;
                written.push(raw(&PreEscaped("<article class=\"finding\">".to_owned())));
                written.push(event.clone());
            }
            Event::Start(Tag::TableCell) => written.push(raw(&writer.cell(rest))),
            Event::Start(Tag::Link { dest_url, .. }) if writer.titled(dest_url, rest).is_some() => {
                written.extend(writer.event(event));
                written.extend(writer.titled(dest_url, rest).map(|it| Event::Text(it.into())));
                rest = &rest[1..];
            }
            Event::Start(Tag::TableRow) => {
                writer.column = 0;
                written.push(raw(&row(rest)));
            }
            _ => written.extend(writer.event(event)),
        }
    }
    written.extend(writer.end_card());
    let mut page = String::new();
    pulldown_cmark::html::push_html(&mut page, written.into_iter());
    PreEscaped(page)
}

/// State of the writer of events.
struct Writer<'a> {
    path: &'a str,
    pages: &'a [Page],
    pictures: &'a Pictures<'a>,
    /// The scenarios of the page's folder that were named on it.
    named: BTreeSet<String>,
    aligned: Vec<Alignment>,
    column: usize,
    is_head: bool,
    /// Whether the text is in a heading or a link, in which nothing is explained.
    is_named: bool,
    /// Whether the text is about one of several findings.
    is_in_card: bool,
}

impl Writer<'_> {
    /// The event, as it is written.
    fn event<'e>(&mut self, event: &Event<'e>) -> Option<Event<'e>> {
        Some(match event {
            Event::Html(text) | Event::InlineHtml(text) => Event::Text(text.clone()),
            Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
            Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
            Event::Start(Tag::Table(aligned)) => {
                self.aligned.clone_from(aligned);
                raw(&html! { (PreEscaped("<div class=\"scroll\"><table>")) })
            }
            Event::End(TagEnd::Table) => raw(&html! { (PreEscaped("</tbody></table></div>")) }),
            Event::Start(Tag::TableHead) => {
                (self.is_head, self.column) = (true, 0);
                raw(&html! { (PreEscaped("<thead><tr>")) })
            }
            Event::End(TagEnd::TableHead) => {
                self.is_head = false;
                raw(&html! { (PreEscaped("</tr></thead><tbody>")) })
            }
            Event::End(TagEnd::TableRow) => raw(&html! { (PreEscaped("</tr>")) }),
            Event::End(TagEnd::TableCell) => {
                raw(&PreEscaped(format!("</{}>", if self.is_head { "th" } else { "td" })))
            }
            Event::Start(Tag::Link { dest_url, title, .. }) => {
                self.is_named = true;
                raw(&self.link(dest_url, title))
            }
            Event::End(TagEnd::Link) => {
                self.is_named = false;
                raw(&PreEscaped("</a>".to_owned()))
            }
            Event::End(TagEnd::Heading(_)) => {
                self.is_named = false;
                event.clone()
            }
            // The rows of passages say themselves what a citation is about.
            Event::Text(text) if !self.is_named && self.path != report::DOCUMENTS => {
                raw(&cited(text))
            }
            // There are no pictures in files beside ours.
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => return None,
            other => other.clone(),
        })
    }

    /// The start of a cell, which has a colour if it has an answer.
    fn cell(&mut self, rest: &[Event<'_>]) -> Markup {
        let inside = rest.iter().take_while(|it| **it != Event::End(TagEnd::TableCell));
        let text: String = inside.filter_map(text).collect();
        let is_number = self.aligned.get(self.column) == Some(&Alignment::Right);
        self.column += 1;
        let class = if is_number { Some("number") } else { answer_class(&text) };
        let opened = if self.is_head {
            html! { th class=[class] {} }
        } else {
            html! { td class=[class] {} }
        };
        let ends = ["</td>", "</th>"];
        let end = ends.into_iter().find_map(|end| opened.0.strip_suffix(end));
        PreEscaped(end.unwrap_or_default().to_owned())
    }

    /// The end of a finding's card.
    fn end_card(&mut self) -> Option<Event<'static>> {
        std::mem::take(&mut self.is_in_card).then(|| Event::Html("</article>".into()))
    }

    /// The title of the page that a link leads to and that it calls by the name of its file.
    fn titled(&self, to: &str, rest: &[Event<'_>]) -> Option<String> {
        let is_called_so = text(rest.first()?) == Some(to);
        let page = self.pages.iter().find(|page| page.path == format!("reports/{to}"));
        page.filter(|_| is_called_so).map(super::title)
    }

    /// The beginning of a link: it leads to a page of the folder, or nowhere. The title of a link
    /// to one of several scenarios in a file is its name.
    fn link(&mut self, to: &str, title: &str) -> Markup {
        let scenario = to.split_once("scenarios/").filter(|(up, _)| matches!(*up, "" | "../"));
        let name = match title {
            "" => scenario.and_then(|(_, it)| it.strip_suffix(".toml")),
            title => scenario.map(|_| title),
        };
        let opened = match name {
            Some(name) => self.scenario(name),
            None => self.place(to),
        };
        PreEscaped(opened.0.trim_end_matches("</a>").to_owned())
    }

    /// A link to a scenario: its folder's page names it first where its row is.
    fn scenario(&mut self, name: &str) -> Markup {
        let page = report::folder_page(report::folder_of(name));
        if page == self.path && self.named.insert(name.to_owned()) {
            return html! { a id=(name) {} };
        }
        let place = self.made(&page).map(|page| format!("{page}#{name}"));
        html! { a href=[place] {} }
    }

    /// A link to a place of a page.
    fn place(&self, to: &str) -> Markup {
        let (file, place) = match to.split_once('#') {
            Some((file, place)) => (file, format!("#{place}")),
            None => (to, String::new()),
        };
        let path = file.strip_prefix("../").unwrap_or(file);
        match self.made(path).or_else(|| self.made(&format!("reports/{path}"))) {
            Some(page) => html! { a href=(format!("{page}{place}")) {} },
            None if file.is_empty() => html! { a href=(place) {} },
            None => html! { a {} },
        }
    }

    /// The file of a page that is made.
    fn made(&self, path: &str) -> Option<String> {
        self.pages.iter().find(|page| page.path == path).map(|page| super::name(&page.path))
    }

    /// A picture of a run; its description, if the run is not there.
    fn picture(&self, inside: &[Event<'_>]) -> Markup {
        let described: String = inside.iter().filter_map(text).collect();
        let run = self.pictures.get(described.as_str());
        run.map_or_else(|| html! { pre { code { (described) } } }, |run| sketch(run))
    }
}

/// Whether a paragraph begins with a number and a bold name, as in "**1. A unit …**".
fn is_numbered(rest: &[Event<'_>]) -> bool {
    let [Event::Start(Tag::Strong), Event::Text(text), ..] = rest else { return false };
    text.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok())
}

/// The class of a cell that begins with the mark of an answer. One that counts several answers has
/// none.
fn answer_class(text: &str) -> Option<&'static str> {
    let is_doubtful = text.trim_end().ends_with('?');
    match text.chars().next()? {
        _ if text.contains(", ") => None,
        '✗' => Some("is-violated"),
        '✓' => Some(if is_doubtful { "is-doubtful" } else { "is-held" }),
        '○' => Some("is-vacuous"),
        _ => None,
    }
}

/// The start of a heading, with its anchor.
fn headed<'e>(event: &Event<'e>, rest: &[Event<'e>]) -> Event<'e> {
    let Event::Start(Tag::Heading { level, .. }) = event else { return event.clone() };
    let inside = rest.iter().take_while(|it| !matches!(it, Event::End(TagEnd::Heading(_))));
    let name: String = inside.filter_map(text).collect();
    let id = Some(anchor(&name).into());
    Event::Start(Tag::Heading { level: *level, id, classes: Vec::new(), attrs: Vec::new() })
}

/// The start of a row. A passage's row has its place, and a class for its coverage.
fn row(rest: &[Event<'_>]) -> Markup {
    let is_in_row = |it: &&Event<'_>| **it != Event::End(TagEnd::TableRow);
    let mut cells: Vec<String> = Vec::new();
    for event in rest.iter().take_while(is_in_row) {
        match (event, cells.last_mut()) {
            (Event::Start(Tag::TableCell), _) => cells.push(String::new()),
            (event, Some(cell)) => cell.push_str(text(event).unwrap_or_default()),
            (_, None) => {}
        }
    }
    let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
    let passage = PassageRow::of(&cells);
    let (place, class) =
        (passage.as_ref().map(passages::place), passage.map(|it| passages::class(it.coverage)));
    let opened = html! { tr id=[place] class=[class] {} };
    PreEscaped(opened.0.trim_end_matches("</tr>").to_owned())
}

fn text<'e>(event: &'e Event<'_>) -> Option<&'e str> {
    match event {
        Event::Text(text) | Event::Code(text) => Some(text),
        _ => None,
    }
}

/// Text that is written as it is.
fn raw<'e>(markup: &Markup) -> Event<'e> {
    Event::Html(markup.0.clone().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: &str, text: &str) -> Page {
        Page { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn cells_with_an_answer_have_its_colour() {
        for (text, class) in [
            ("✗ 4,715", Some("is-violated")),
            ("✓ 31", Some("is-held")),
            ("✓ 5 ?", Some("is-doubtful")),
            ("○", Some("is-vacuous")),
            ("✗ 2, ✓ 31", None),
            ("·", None),
            ("", None),
        ] {
            assert_eq!(answer_class(text), class, "{text}");
        }
        let table = "| a | b |\n| --- | ---: |\n| [✗ 1](x.md) | 7 |\n";
        let shown = html("reports/a.md", table, &[], &Pictures::new()).into_string();
        assert!(shown.contains("<td class=\"is-violated\"><a>✗ 1</a></td>"), "{shown}");
        assert!(shown.contains("<td class=\"number\">7</td>"), "{shown}");
    }

    #[test]
    fn findings_are_cards_and_citations_are_explained() {
        let text = "## One\n\n**1. It stays (D1:18-26).** Fixed.\n\n    1  a step\n\n\
                    **2. So does this.**\n\n## Two\n\nText.\n";
        let shown = html("reports/a.md", text, &[], &Pictures::new()).into_string();
        let open = "<article class=\"finding\">";
        assert_eq!((shown.matches(open).count(), shown.matches("</article>").count()), (2, 2));
        let (card, rest) = shown.split_once("</article>").expect("a card");
        assert!(card.contains("a step") && card.contains("a BUG: after hardware fails"), "{card}");
        assert!(rest.find("</article>") < rest.find("Two"), "{rest}");
    }

    #[test]
    fn a_page_is_called_by_its_title_where_a_link_has_the_name_of_its_file() {
        let pages = [page("reports/clauses.md", "# Without a clause\n")];
        let text = "[clauses.md](clauses.md), [these](clauses.md), [other.md](other.md)";
        let shown = html("reports/a.md", text, &pages, &Pictures::new()).into_string();
        let link = "<a href=\"clauses.html\">";
        assert!(shown.contains(&format!("{link}Without a clause</a>, {link}these</a>")), "{shown}");
        assert!(shown.contains("<a>other.md</a>"), "{shown}");
    }
}
