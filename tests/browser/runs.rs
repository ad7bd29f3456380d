//! The page of a run: the text of its first screen, the legibility of its steps, and its keys.

use crate::{
    chromium::Browser,
    pages::{made, page, place, run},
    tab::{ColourScheme, Scripts, Tab},
};

/// The moment that the page shows: the marked one, if exactly this one is displayed.
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

/// A command can be copied with scripts, and without them no button offers that.
#[test]
fn commands_have_a_button_that_copies_them() {
    let Some(browser) = Browser::shared() else { return };
    for (scripts, expected) in [(Scripts::On, true), (Scripts::Off, false)] {
        let mut tab = Tab::new(&browser, scripts);
        tab.open_file(&made(page("check")));
        let offered = tab.ask(
            "[...document.querySelectorAll('.command')].map((it) => it.innerText.startsWith('copy'))",
        );
        let offered = offered.as_array().expect("a list");
        assert!(offered.len() > 1 && offered.iter().all(|it| *it == expected), "{offered:?}");
    }
}

/// The graph of a small world is in the page: a walk through it needs no server, and the address
/// holds the path.
#[test]
fn a_small_world_is_walked_in_its_page() {
    let Some(browser) = Browser::shared() else { return };
    let file = made(page("check"));
    let mut tab = Tab::new(&browser, Scripts::On);
    tab.open_file(&file);
    let part = |name: &str| format!("document.getElementById('walk-{name}').innerText");
    assert_eq!(tab.text(&part("where")), "state 1 of 107, after 0 steps");
    tab.ask("document.querySelector('#walk-runs a').click()");
    tab.wait_until(&format!("{}.endsWith(', after 5 steps')", part("where")));
    assert_eq!(tab.ask("document.querySelectorAll('#walk-way li').length"), 5);
    let there = tab.text(&part("lines"));
    assert!(there.contains("Dying, 1 in scope (wordpress/0)"), "{there}");
    let next = tab.text(&part("next"));
    assert!(next.contains("Nobody who is assumed to act can do anything."), "{next}");
    let way = tab.text("location.hash");
    tab.ask("document.getElementById('walk-back').click()");
    tab.wait_until(&format!("{}.endsWith(', after 4 steps')", part("where")));
    let deploys = "[...document.querySelectorAll('#walk-next li')].find((it) => it.innerText.startsWith(\
                   'machine-agent 1: deploy-unit wordpress/0 machine-agent.1'))";
    tab.ask(&format!("{deploys}.querySelector('a').click()"));
    tab.wait_until(&format!("location.hash === '{way}'"));
    assert_eq!(tab.text(&part("lines")), there);
    // The address leads back to the same state; a wrong one leads as far as it can.
    let address = format!("file://{}", file.display());
    for (hash, steps) in [(way.as_str(), 5), ("#walk-0-9999-0", 1), ("#walk", 0)] {
        let mut tab = Tab::new(&browser, Scripts::On);
        tab.open(&format!("{address}{hash}"), &address);
        let told = tab.text(&part("where"));
        assert!(told.ends_with(&format!(", after {steps} steps")), "{hash}: {told}");
        assert_eq!(tab.complaints(), [""; 0], "{hash}");
    }
    let mut tab = Tab::new(&browser, Scripts::Off);
    tab.open_file(&file);
    assert_eq!(tab.ask("document.getElementById('walk').checkVisibility()"), false);
}

/// Runs, and the texts that the first screen has to show for each: the holder, and the step that
/// made it one.
const CAUSES: [(&str, &[&str]); 5] = [
    (
        "relation-scope-bug/1-as-written",
        &[
            "violated: a Dying relation is removed",
            "Held by unit wordpress/0 since step 3, fail-hardware 1: its agent does not know that \
             it is in a scope",
        ],
    ),
    (
        "findings/last-unit-waits-for-the-relation",
        &[
            "violated: a Dying unit is removed",
            "Again and again step 12, abort remove-unit wordpress/0 by machine-agent 1 fails: \
             remove-unit.4 expects application wordpress to be Alive or to have at least 2 units",
            "never done: deploy-unit mysql/0",
        ],
    ),
    (
        "caveats/agents-are-redeployed-as-written",
        &[
            "violated: a Dying relation is removed",
            "Held by unit wordpress/0 since step 4, replace 1 by operator",
        ],
    ),
    (
        "findings/churn-starves-the-provisioner",
        &[
            "violated: a Dying machine is removed",
            "provisioner could act, and is kept busy for ever",
            "never done: decommission 1 by provisioner, possible after 2, 3, 4, 5, 6, 7",
        ],
    ),
    (
        "findings/counterpart-is-not-asserted",
        &[
            "violated: a Dying application is removed",
            "since step 13, commit leave-scope mysql/0 by unit-agent mysql/0: nothing refers to it",
            "planned in step 9, before step 12, commit remove-unit wordpress/0 by machine-agent 1",
        ],
    ),
];

#[test]
fn the_first_screen_says_what_holds_what_and_since_when() {
    let Some(browser) = Browser::shared() else { return };
    for (scenario, causes) in CAUSES {
        let file = place(&scenario.replace('/', "-"));
        let (from, to) = (format!("scenarios/{scenario}.toml"), file.display().to_string());
        run(["replay", &from, "--counterexample", "--format", "html", "--output", &to]);
        let mut tab = Tab::new(&browser, Scripts::Off);
        tab.open_file(&file);
        for width in [390, 1440] {
            tab.show(width, ColourScheme::Light);
            let said = tab.text(
                "[...document.querySelectorAll('.head h1, .head p.cause')].filter((it) => {
                    return it.getBoundingClientRect().bottom <= innerHeight;
                }).map((it) => it.innerText).join('\\n')",
            );
            for cause in causes {
                let said = said.replace('\u{a0}', " ");
                assert!(said.contains(cause), "{scenario}, {width} wide, says {cause}: {said}");
            }
        }
    }
}

/// The steps that are cut off: text that is wider than its box, or a broken badge.
fn cut(tab: &mut Tab) -> Vec<String> {
    let cut = tab.ask(
        "(() => {
            const boxes = [...document.querySelectorAll('.row, .row :not(svg, svg *)')];
            const shown = boxes.filter((it) => it.checkVisibility());
            const cut = shown.filter((it) => it.clientWidth > 0 && it.scrollWidth > it.clientWidth);
            const outside = shown.filter((it) => {
                return it.getBoundingClientRect().right > document.documentElement.clientWidth;
            });
            const badges = shown.filter((it) => it.matches('.badge') && it.getClientRects().length > 1);
            return [...cut, ...outside, ...badges].map((it) => it.outerHTML.slice(0, 200));
        })()",
    );
    let cut = cut.as_array().into_iter().flatten();
    cut.map(ToString::to_string).collect()
}

#[test]
fn no_step_is_cut_at_any_width() {
    let Some(browser) = Browser::shared() else { return };
    for name in ["stuck", "lasso", "seed", "script", "check-several"] {
        let mut tab = Tab::new(&browser, Scripts::On);
        tab.open_file(&made(page(name)));
        for width in [360, 390, 768, 1440] {
            tab.show(width, ColourScheme::Light);
            tab.ask("document.querySelectorAll('details').forEach((it) => { it.open = true; })");
            assert_eq!(cut(&mut tab), [""; 0], "{name}, {width} wide");
        }
        // The test of this test.
        tab.ask(
            "document.querySelectorAll('.row > *').forEach((it) => {
                it.style.cssText = 'display: block; white-space: nowrap; overflow: hidden';
            })",
        );
        tab.show(360, ColourScheme::Light);
        assert!(!cut(&mut tab).is_empty(), "{name}: a step that is cut is noticed");
    }
}

/// The common steps are shown once, and the lanes continue at the same places. All of it fits on
/// the first screen, with the reason why A is stuck and the step that B takes instead.
#[test]
fn the_runs_of_both_sides_are_a_trunk_that_forks() {
    let Some(browser) = Browser::shared() else { return };
    let mut tab = Tab::new(&browser, Scripts::Off);
    tab.show(1440, ColourScheme::Light);
    tab.open_file(&made(page("differences")));
    let text = tab.text("document.querySelector('.fork').innerText");
    for (said, count) in [("fail-hardware 1 faults", 1), ("leave-scope wordpress/0", 2)] {
        assert_eq!(text.matches(said).count(), count, "{said}: {text}");
    }
    assert!(text.contains("its agent does not know that it is in a scope"), "{text}");
    assert!(text.contains("Detect Dying relations whose scope it has entered"), "{text}");
    // The left edge of the lanes, their width and their number.
    let places = tab.ask(
        "[...document.querySelectorAll('.fork > .rows')].map((rows) => {
            const lanes = rows.querySelector('.row svg svg');
            const { left, width } = lanes.getBoundingClientRect();
            return [left, width, lanes.getAttribute('viewBox')];
        })",
    );
    let [trunk, a, b] = places.as_array().expect("a list").as_slice() else {
        panic!("a trunk and two branches: {places}");
    };
    assert_eq!(trunk, a, "one goes on below the trunk");
    assert_eq!([&a[1], &a[2]], [&b[1], &b[2]], "{places}");
    let bottom =
        tab.ask("document.querySelector('.branch:last-child').getBoundingClientRect().bottom");
    assert!(bottom.as_f64().expect("a number") < 800.0, "{bottom}");
}

/// Each step unfolds to its clauses, and these to passages and to lines of Rust, without scripts.
#[test]
fn a_step_unfolds_to_its_rule_and_its_source() {
    let Some(browser) = Browser::shared() else { return };
    let mut tab = Tab::new(&browser, Scripts::Off);
    tab.open_file(&made(page("stuck")));
    let clause = "[...document.querySelectorAll('.moment.last .clause')].find((it) => \
                  it.innerText.startsWith('machine-agent.1 '))";
    let folded = tab.text(&format!("{clause}.innerText"));
    assert!(!folded.contains("machine_agent.rs"), "{folded}");
    tab.ask(&format!("{clause}.querySelector('summary').click()"));
    let unfolded = tab.text(&format!("{clause}.innerText"));
    for said in [
        "D2:373 deploys Alive principals",
        "model/src/agents/lifecycle/machine_agent.rs:",
        "rule: MachineAgent, deploy: 1",
        "(false, Alive) => list.duty(rule, deploy, self.deploys(id)),",
    ] {
        assert!(unfolded.contains(said), "{said}: {unfolded}");
    }
}

/// A run is played step by step to its end, and scrubbed, without filling the history. The step
/// under the pointer is shown as a preview.
#[test]
fn a_run_is_played_and_scrubbed_and_previewed() {
    let Some(browser) = Browser::shared() else { return };
    let mut tab = Tab::new(&browser, Scripts::On);
    tab.open_file(&made(page("stuck")));
    let last = tab.ask("Number(document.querySelector('.run').dataset.last)");
    let last = usize::try_from(last.as_u64().expect("a number")).expect("a small one");
    let visited = tab.ask("history.length");
    tab.press("p");
    tab.wait_until("location.hash === '#run-0-0'");
    assert_eq!(tab.text("document.querySelector('.player button').innerText"), "❚❚ pause");
    tab.wait_until(&format!("location.hash === '#run-0-{last}'"));
    tab.wait_until("document.querySelector('.player button').innerText === '▶ play'");
    tab.ask(
        "(() => {
            const scrub = document.querySelector('.player input');
            scrub.value = 2;
            scrub.dispatchEvent(new Event('input'));
        })()",
    );
    tab.wait_until("document.querySelector('.row a[aria-current]').hash === '#run-0-2'");
    assert_eq!(moment(&mut tab), "#run-0-2");
    assert_eq!(tab.ask("history.length"), visited, "one can go back to where one came from");
    let shown = "[...document.querySelectorAll('.moment')].filter((it) => it.checkVisibility()) \
                 .map((it) => it.id).join()";
    let point = |event: &str, at: &str| {
        format!(
            "document.querySelector('{at}').dispatchEvent(new PointerEvent('{event}', \
             {{ bubbles: true, pointerType: 'mouse' }}))"
        )
    };
    tab.ask(&point("pointerover", ".row:nth-child(4) a"));
    assert_eq!(tab.text(shown), "run-0-3", "what is pointed at");
    assert_eq!(tab.text("location.hash"), "#run-0-2");
    tab.ask(&point("pointerleave", ".rows"));
    assert_eq!(tab.text(shown), "run-0-2", "what was there before");
    assert_eq!(tab.complaints(), [""; 0]);
}

/// A column of a sweep leads to a run, which is folded until then.
#[test]
fn a_column_of_a_sweep_leads_to_a_run() {
    let Some(browser) = Browser::shared() else { return };
    let mut tab = Tab::new(&browser, Scripts::Off);
    tab.open_file(&made(page("sweep")));
    let leads = "document.querySelector('svg.seeds a:has(rect)')";
    let to = tab.text(&format!("{leads}.getAttribute('href')"));
    let run = format!("document.querySelector('{to}')");
    assert_eq!(tab.ask(&format!("{run}.checkVisibility()")), false, "{to}");
    tab.ask(&format!("location.hash = '{to}'"));
    tab.wait_until(&format!("{run}.checkVisibility()"));
    let told = tab.text(&format!("{run}.innerText"));
    assert!(told.contains("The world") && told.contains("unit-agent"), "{told}");
}
