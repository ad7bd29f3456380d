//! Accessibility of pages, as far as a machine can check it: landmarks, headings, names, contrast,
//! width, and equal labels.

use serde_json::Value;

use crate::{
    chromium::Browser,
    pages::{made, page, pages},
    tab::{ColourScheme, Scripts, Tab},
};

/// The least and the usual width of a screen, in pixels.
const WIDTHS: [u32; 2] = [360, 1280];

/// The roles of elements that must have a name, as a screen reader reads it out.
const NAMED: [&str; 11] = [
    "link",
    "button",
    "textbox",
    "searchbox",
    "checkbox",
    "radio",
    "combobox",
    "image",
    "graphics-document",
    "region",
    "form",
];

fn role(node: &Value) -> &str {
    node["role"]["value"].as_str().unwrap_or_default()
}

fn name(node: &Value) -> &str {
    node["name"]["value"].as_str().unwrap_or_default()
}

/// The faults that a screen reader would meet.
pub(crate) fn missing(told: &[Value]) -> Vec<String> {
    let mut missing = Vec::new();
    // A page ends with a footer only if it has something to say there.
    for (landmark, least) in [("main", 1), ("banner", 1), ("contentinfo", 0)] {
        let count = told.iter().filter(|node| role(node) == landmark).count();
        if !(least..=1).contains(&count) {
            missing.push(format!("{count} landmarks of the role {landmark}"));
        }
    }
    let level = |node: &Value| {
        let properties = node["properties"].as_array().into_iter().flatten();
        let mut levels = properties.filter(|it| it["name"] == "level");
        levels.next().and_then(|it| it["value"]["value"].as_u64())
    };
    let headings: Vec<u64> =
        told.iter().filter(|node| role(node) == "heading").filter_map(level).collect();
    let first = headings.iter().filter(|level| **level == 1).count();
    if first != 1 {
        missing.push(format!("{first} headings of the first level"));
    }
    for node in told {
        if NAMED.contains(&role(node)) && name(node).trim().is_empty() {
            missing.push(format!("{} without a name: {node}", role(node)));
        }
    }
    missing
}

/// The texts with too little contrast to be read.
pub(crate) fn faint(tab: &mut Tab) -> Vec<String> {
    let found = tab.ask(include_str!("contrast.js"));
    assert!(found["seen"].as_u64() > Some(3), "there is text: {found}");
    let faint = found["faint"].as_array().into_iter().flatten();
    faint.map(ToString::to_string).collect()
}

/// The elements that stick out to the right, if the page is wider than the screen, or a table with
/// stacking rows wider than its box.
pub(crate) fn wide(tab: &mut Tab) -> Vec<String> {
    let found = tab.ask(
        "(() => {
            const root = document.documentElement;
            const boxes = [root, ...document.querySelectorAll('.scroll:has(.stacked)')];
            if (boxes.every((it) => it.scrollWidth <= it.clientWidth)) return [];
            const wide = [...document.body.querySelectorAll('*')].filter((it) => {
                return it.getBoundingClientRect().right > root.clientWidth;
            });
            const named = wide.map((it) => `${it.tagName}.${it.getAttribute('class') ?? ''}`);
            return [`it is ${root.scrollWidth} wide`, ...new Set(named)];
        })()",
    );
    let wide = found.as_array().into_iter().flatten();
    wide.map(ToString::to_string).collect()
}

/// The sizes and weights of grey labels, if there is more than one pair. A removed entity is grey,
/// too, and no label.
pub(crate) fn uneven(tab: &mut Tab) -> Vec<String> {
    let found = tab.ask(
        "(() => {
            const probe = document.body.appendChild(document.createElement('span'));
            probe.style.color = 'var(--quiet)';
            const grey = getComputedStyle(probe).color;
            probe.remove();
            const found = new Map();
            const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walk.nextNode()) {
                const element = walk.currentNode.parentElement;
                const text = walk.currentNode.data.trim();
                if (!text || element instanceof SVGElement || element.closest('.gone')) continue;
                if (!element.checkVisibility({ visibilityProperty: true })) continue;
                const style = getComputedStyle(element);
                if (style.color !== grey) continue;
                const look = `${style.fontSize}, ${style.fontWeight}`;
                const place = `${element.tagName}.${element.className}: ${text.slice(0, 40)}`;
                found.set(look, [...(found.get(look) ?? []).slice(0, 3), place]);
            }
            if (found.size <= 1) return [];
            return [...found].map(([look, places]) => `${look}: ${places.join('; ')}`);
        })()",
    );
    let uneven = found.as_array().into_iter().flatten();
    uneven.map(ToString::to_string).collect()
}

/// The texts of pictures that are shown too small to be read.
pub(crate) fn tiny(tab: &mut Tab) -> Vec<String> {
    let found = tab.ask(
        "[...document.querySelectorAll('svg text')].filter((it) => {
            const { a, b, c, d } = it.getScreenCTM();
            const size = parseFloat(getComputedStyle(it).fontSize) * Math.sqrt(Math.abs(a * d - b * c));
            return it.checkVisibility() && size < 10.5;
        }).map((it) => it.textContent)",
    );
    let tiny = found.as_array().into_iter().flatten();
    tiny.map(ToString::to_string).collect()
}

/// Checks all of this on the open page, in both colour schemes and at both widths.
pub(crate) fn assert_accessible(tab: &mut Tab, page: &str) {
    assert_eq!(missing(&tab.told()), [""; 0], "{page}");
    assert_eq!(tab.text("document.documentElement.lang"), "en", "{page}");
    assert!(!tab.text("document.title").is_empty(), "{page}");
    for colours in [ColourScheme::Light, ColourScheme::Dark] {
        for width in WIDTHS {
            tab.show(width, colours);
            assert_eq!(faint(tab), [""; 0], "{page}, {colours:?}, {width} wide");
            assert_eq!(wide(tab), [""; 0], "{page}, {width} wide");
            assert_eq!(uneven(tab), [""; 0], "{page}, {width} wide");
            assert_eq!(tiny(tab), [""; 0], "{page}, {width} wide");
        }
    }
}

#[test]
fn every_page_can_be_read_by_everybody() {
    let Some(browser) = Browser::shared() else { return };
    for page in pages() {
        let mut tab = Tab::new(&browser, Scripts::On);
        tab.open_file(&made(page));
        assert_accessible(&mut tab, page.name);
    }
}

/// An abbreviation is reached by keyboard and touch, and its meaning is shown behind it then.
#[test]
fn a_meaning_is_read_without_a_pointer() {
    let Some(browser) = Browser::shared() else { return };
    let mut tab = Tab::new(&browser, Scripts::On);
    tab.open_file(&made(page("stuck")));
    let behind = "(() => {
        const word = document.querySelector('abbr[title]');
        const behind = () => getComputedStyle(word, '::after').content;
        const before = behind();
        word.focus();
        return [before, document.activeElement === word, behind() !== before];
    })()";
    for width in [390, 1440] {
        tab.show(width, ColourScheme::Light);
        tab.ask("document.activeElement.blur()");
        assert_eq!(tab.ask(behind), serde_json::json!(["none", true, true]), "{width} wide");
        assert_eq!(wide(&mut tab), [""; 0], "{width} wide");
    }
}

/// The test of these tests: a page with each of these faults.
#[test]
fn a_page_that_cannot_be_read_by_everybody_is_noticed() {
    let Some(browser) = Browser::shared() else { return };
    let file = crate::pages::written(
        "unreadable",
        "<!DOCTYPE html><title>x</title><body style='background: #fff; color: #767676'>\
         <h1>first</h1><h1>second</h1><a href='#'></a><button></button><p>just enough</p>\
         <p style='color: #777'>too little</p><p style='opacity: .9'>let through</p>\
         <div style='background: #000'>half<p style='color: #0008'>nothing</p></div>\
         <p style='width: 400px'>wide</p>
         <style>:root { --quiet: #123456 } .quiet { color: var(--quiet) }</style>
         <svg viewBox='0 0 99 99' width='50'><text y='9' font-size='12'>half</text></svg>
         <p class='quiet'>a label</p><p class='quiet'><b>another</b></p>",
    );
    let mut tab = Tab::new(&browser, Scripts::Off);
    tab.open_file(&file);
    let missing = missing(&tab.told());
    for expected in [
        "0 landmarks of the role main",
        "0 landmarks of the role banner",
        "2 headings of the first level",
        "link without a name",
        "button without a name",
    ] {
        assert!(missing.iter().any(|it| it.starts_with(expected)), "{expected}: {missing:?}");
    }
    tab.show(360, ColourScheme::Light);
    let faint = faint(&mut tab).concat();
    for (text, is_faint) in [
        ("just enough", false),
        ("too little", true),
        ("let through", true),
        ("half", false),
        ("nothing", true),
    ] {
        let found = faint.contains(&format!("\\\"{text}\\\""));
        assert_eq!(found, is_faint, "{text}: {faint}");
    }
    let wide = wide(&mut tab).concat();
    assert!(wide.contains("it is 408 wide") && wide.contains("P."), "{wide}");
    assert_eq!(tiny(&mut tab), ["\"half\""]);
    let uneven = uneven(&mut tab);
    assert_eq!(uneven.len(), 2, "{uneven:?}");
}
