//! A scenario that means harm: wherever a file may say what it likes, markup and letters that play
//! tricks stay text.

use std::fs;

use crate::{
    chromium::Browser,
    pages::{place, run},
    tab::{Scripts, Tab},
};

/// Markup for each place where text may stand in a page, and letters that turn the others round.
const NASTY: &str = "<script>document.title='ran'</script><img src=x onerror=\"document.title='ran'\">\
                     </style></script></title>' \" `&amp; &lt;b&gt;<b>bold</b> \u{202e}turned\u{202c}";

/// What a reader sees of it: markup as it was written, and what nobody sees by its number.
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

    let page = place("hostile");
    let arguments =
        [&*file.to_string_lossy(), "--format", "html", "--output", &page.to_string_lossy()]
            .map(ToOwned::to_owned);
    let arguments = arguments.iter().map(String::as_str);
    drop(run(["replay", "--counterexample", NASTY].into_iter().chain(arguments)));

    for scripts in [Scripts::On, Scripts::Off] {
        let mut tab = Tab::new(&browser, scripts);
        tab.open_file(&page);
        assert_eq!(tab.complaints(), [""; 0]);
        let title = tab.text("document.title");
        assert!(title.contains("/<b onclick='1'>&amp;"), "{title}");
        for (part, says) in [("h1", SEEN), (".shows", SEEN)] {
            let text = tab.text(&format!("document.querySelector('{part}').innerText"));
            for seen in says {
                assert!(text.contains(seen), "{part} says {seen}: {text}");
            }
            assert!(!text.contains('\u{202e}') && text.contains("turned"), "{part}: {text}");
        }
        let foreign = "document.querySelectorAll('main b, img, [onclick], [onerror]').length";
        assert_eq!(tab.ask(foreign), 0, "no element is the file's");
        assert_eq!(tab.ask("document.scripts.length"), 1, "the one script is ours");
    }
}
