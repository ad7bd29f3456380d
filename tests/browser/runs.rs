//! Keys on the page of a run.

use crate::{
    chromium::Browser,
    pages::{made, page},
    tab::{Scripts, Tab},
};

/// The moment that the page shows: the one that is marked, and the only one that is displayed.
fn moment(tab: &mut Tab) -> String {
    tab.text(
        "(() => {
            const marked = [...document.querySelectorAll('.row a[aria-current]')];
            const shown = [...document.querySelectorAll('.moment')].filter((it) => it.checkVisibility());
            const places = [...marked.map((it) => it.hash), ...shown.map((it) => '#' + it.id)];
            return new Set(places).size === 1 ? places[0] : JSON.stringify(places);
        })()",
    )
}

/// Presses a key, and waits for the moment that it leads to.
fn press(tab: &mut Tab, key: &str, state: usize) {
    tab.press(key);
    let hash = format!("#run-0-{state}");
    tab.wait_until(&format!("location.hash === '{hash}'"));
    tab.wait_until(&format!("document.querySelector('.row a[aria-current]')?.hash === '{hash}'"));
    assert_eq!(moment(tab), hash, "after {key}");
}

#[test]
fn keys_move_through_a_run() {
    let Some(browser) = Browser::shared() else { return };
    let mut tab = Tab::new(&browser, Scripts::On);
    tab.open_file(&made(page("stuck")));
    let last = tab.ask("Number(document.querySelector('.run').dataset.last)");
    let last = usize::try_from(last.as_u64().expect("a number")).expect("a small one");
    assert_eq!(moment(&mut tab), format!("#run-0-{last}"), "a page begins with the last moment");
    for (key, state) in [
        ("ArrowLeft", last - 1),
        ("k", last - 2),
        ("ArrowUp", last - 3),
        ("ArrowRight", last - 2),
        ("j", last - 1),
        ("ArrowDown", last),
        ("ArrowDown", last),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("End", last),
    ] {
        press(&mut tab, key, state);
    }
    assert_eq!(tab.complaints(), [""; 0]);
}

#[test]
fn a_key_goes_on_to_the_same_actors_next_step() {
    let Some(browser) = Browser::shared() else { return };
    let mut tab = Tab::new(&browser, Scripts::On);
    tab.open_file(&made(page("seed")));
    let actors =
        tab.ask("[...document.querySelectorAll('.row[data-actor]')].map((it) => it.dataset.actor)");
    let actors = actors.as_array().expect("a list");
    let (first, second) = (1..actors.len())
        .find_map(|first| {
            let mut later = first + 1..actors.len();
            later.find(|second| actors[*second] == actors[first]).map(|second| (first, second))
        })
        .expect("somebody does several things");
    tab.press("Home");
    for state in 1..=first {
        press(&mut tab, "ArrowRight", state);
    }
    press(&mut tab, "]", second);
    press(&mut tab, "[", first);
}

#[test]
fn a_key_goes_round_a_loop() {
    let Some(browser) = Browser::shared() else { return };
    let mut tab = Tab::new(&browser, Scripts::On);
    tab.open_file(&made(page("lasso")));
    let run = tab.ask("({ ...document.querySelector('.run').dataset })");
    let number = |key: &str| run[key].as_str().and_then(|it| it.parse::<usize>().ok());
    let again = number("loop").expect("it goes round");
    press(&mut tab, "End", number("last").expect("a number"));
    press(&mut tab, "ArrowRight", again + 1);
}

#[test]
fn steps_are_found_and_letters_that_are_typed_are_no_keys() {
    let Some(browser) = Browser::shared() else { return };
    let mut tab = Tab::new(&browser, Scripts::On);
    tab.open_file(&made(page("stuck")));
    press(&mut tab, "Home", 0);
    tab.press("f");
    tab.wait_until("document.activeElement.type === 'search'");
    for letter in "fault".chars() {
        tab.press(&letter.to_string());
    }
    tab.wait_until("document.querySelector('.row.dim') !== null");
    let lit = tab.text(
        "[...document.querySelectorAll('.row[data-actor]:not(.dim)')].map((it) => it.innerText).join()",
    );
    assert!(lit.contains("hardware") && !lit.contains("start"), "{lit}");
    assert_eq!(moment(&mut tab), "#run-0-0", "no letter has moved the cursor");
}

/// Without scripts a link shows its moment.
#[test]
fn links_move_through_a_run_without_scripts() {
    let Some(browser) = Browser::shared() else { return };
    let mut tab = Tab::new(&browser, Scripts::Off);
    tab.open_file(&made(page("stuck")));
    let shown = "[...document.querySelectorAll('.moment')].filter((it) => it.checkVisibility())";
    assert_eq!(tab.ask(&format!("{shown}.length")), 1);
    tab.ask("document.querySelector('.row a[href=\"#run-0-2\"]').click()");
    tab.wait_until(&format!("{shown}.map((it) => it.id).join() === 'run-0-2'"));
}
