//! A malicious scenario: in every field that is free text, markup and deceptive letters stay text.

use std::fs;

use crate::{
    chromium::Browser,
    pages::{output, place},
    tab::{Scripts, Tab},
};

/// Markup for each place of a page where text may stand, and letters that reverse the writing
/// direction.
const NASTY: &str = "<script>document.title='ran'</script><img src=x onerror=\"document.title='ran'\">\
                     </style></script></title>' \" `&amp; &lt;b&gt;<b>bold</b> \u{202e}turned\u{202c}";

/// The parts of it that a reader sees: markup is shown as written, and invisible letters by number.
const SEEN: &[&str] = &[
    "<script>document.title='ran'</script>",
    "<img src=x onerror=\"document.title='ran'\">",
    "</style></script></title>' \" `&amp; &lt;b&gt;<b>bold</b>",
];

#[test]
fn what_a_scenario_says_stays_text() {
    let Some(browser) = Browser::shared() else { return };
    let written = fs::read_to_string("scenarios/relation-scope-bug/1-as-written.toml");
    let written = written.expect("it is shipped");
    let quoted = serde_json::Value::from(NASTY).to_string();
    let shows = written.lines().find(|line| line.starts_with("shows = ")).expect("it has one");
    let own = format!("[own.{quoted}]\nalways = \"relations.all(r, r.life != 'dying')\"\n");
    let text = written
        .replace(shows, &format!("shows = {quoted}"))
        .replace("\n[claims]", &format!("\n[claims]\n{quoted} = \"violated\""));
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("<b onclick='1'>&amp;.toml");
    fs::write(&file, text + "\n" + &own).expect("written");

    let file = &*file.to_string_lossy();
    // The answers need not be as expected, as only the pages are examined.
    let made = |name: &str, words: &[&str]| {
        let page = place(&format!("hostile-{name}"));
        let written = output(words.iter().copied().chain(["--format", "html"]));
        fs::write(&page, written.stdout).expect("written");
        page
    };

    let page = made("replay", &["replay", "--counterexample", NASTY, file]);
    for scripts in [Scripts::On, Scripts::Off] {
        let mut tab = Tab::new(&browser, scripts);
        tab.open_file(&page);
        assert_is_text(&mut tab, "replay");
        let title = tab.text("document.title");
        assert!(title.contains("/<b onclick='1'>&amp;"), "{title}");
        for (part, says) in [("h1", SEEN), (".shows", SEEN)] {
            let text = tab.text(&format!("document.querySelector('{part}').innerText"));
            for seen in says {
                assert!(text.contains(seen), "{part} says {seen}: {text}");
            }
            assert!(text.contains("turned"), "{part}: {text}");
        }
    }

    let journal = folder.path().join("journal.jsonl");
    let journal = &*journal.to_string_lossy();
    let sweep = ["simulate", file, "--seeds", "0..4", "--keep-going"];
    drop(output(sweep.into_iter().chain(["--journal", journal])));
    for (name, words) in [
        ("check", &["check", file][..]),
        ("check-folder", &["check", &*folder.path().to_string_lossy()]),
        ("simulate", &[&sweep[..], &["--shrink-kinds"]].concat()),
        ("merge", &["merge", journal]),
        ("shrink", &["shrink", file, "--seed", "0"]),
    ] {
        let mut tab = Tab::new(&browser, Scripts::On);
        tab.open_file(&made(name, words));
        assert_is_text(&mut tab, name);
    }
}

/// Asserts that the scenario's text can be read, and that it created no element.
fn assert_is_text(tab: &mut Tab, page: &str) {
    assert_eq!(tab.complaints(), [""; 0], "{page}");
    assert_ne!(tab.text("document.title"), "ran", "{page}");
    let text = tab.text("document.body.textContent");
    for seen in SEEN {
        assert!(text.contains(seen), "{page} says {seen}: {text}");
    }
    assert!(text.contains("<b onclick='1'>&amp;"), "{page} names the file: {text}");
    assert!(!text.contains('\u{202e}'), "{page}: {text}");
    let foreign = "document.querySelectorAll('main b, img, [onclick], [onerror]').length";
    assert_eq!(tab.ask(foreign), 0, "no element of {page} is the file's");
    let scripts = "[...document.scripts].filter((it) => it.type !== 'application/json').length";
    assert_eq!(tab.ask(scripts), 1, "the one script of {page} is ours");
}
