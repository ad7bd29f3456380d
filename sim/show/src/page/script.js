// The keys of a page. Everything that is shown is there without it.
(() => {
  const runs = [...document.querySelectorAll(".run")];

  // The run and the state that the address names; else the last state of the first run.
  const here = () => {
    const named = /^#run-(\d+)-(\d+)$/.exec(location.hash);
    const run = runs[named ? Number(named[1]) : 0] ?? runs[0];
    const last = Number(run.dataset.last);
    return { run, last, state: named ? Math.min(Number(named[2]), last) : last };
  };

  const go = (run, state) => {
    location.hash = `run-${run.dataset.run}-${state}`;
  };

  // The same without a new entry in the history.
  const show = (run, state) => location.replace(`#run-${run.dataset.run}-${state}`);

  // Shows a moment while its row is pointed at, without going there; nothing puts that back.
  const preview = (run, moment) => {
    for (const it of run.querySelectorAll(".previewed")) it.classList.remove("previewed");
    run.classList.toggle("previews", moment != null);
    moment?.classList.add("previewed");
  };

  // Marks the row of the moment that is shown, and scrolls to it where the address names one.
  const mark = () => {
    if (runs.length === 0) return;
    const { run, state } = here();
    for (const row of document.querySelectorAll(".row a[aria-current]")) {
      row.removeAttribute("aria-current");
    }
    const row = run.querySelector(`.row a[href="#run-${run.dataset.run}-${state}"]`);
    if (!row) return;
    row.setAttribute("aria-current", "step");
    preview(run);
    const scrub = run.querySelector(".player input");
    if (scrub) scrub.value = state;
    if (!location.hash.startsWith("#run-")) return;
    const box = row.getBoundingClientRect();
    if (box.top < 0 || box.bottom > innerHeight) scrollBy(0, box.top - innerHeight / 2);
  };

  // The next step of the same actor in this direction.
  const same = (by) => {
    const { run, state, last } = here();
    const rows = [...run.querySelectorAll(".row[data-actor]")];
    const actor = rows[state]?.dataset.actor;
    for (let at = state + by; at >= 0 && at <= last; at += by) {
      if (rows[at].dataset.actor === actor) return go(run, at);
    }
  };

  const step = (by) => {
    const { run, state, last } = here();
    const again = run.dataset.loop;
    if (by > 0 && state === last && again !== undefined) return go(run, Number(again) + 1);
    go(run, Math.max(0, Math.min(last, state + by)));
  };

  // The run that plays, a step each time that its clock strikes. It goes round a loop for ever.
  const PACE = 900;
  let playing;
  const stop = () => {
    if (!playing) return;
    clearInterval(playing.clock);
    playing.button.textContent = "▶ play";
    playing = undefined;
  };
  const play = (run) => {
    const was = playing?.run;
    stop();
    const button = run.querySelector(".player button");
    if (was === run || !button) return;
    const last = Number(run.dataset.last);
    const again = run.dataset.loop;
    let state = here().run === run ? here().state : last;
    if (state === last && again === undefined) show(run, state = 0);
    const strike = () => {
      state = state === last ? Number(again) + 1 : state + 1;
      show(run, state);
      if (state === last && again === undefined) stop();
    };
    button.textContent = "❚❚ pause";
    playing = { run, button, clock: setInterval(strike, PACE) };
  };

  const keys = {
    ArrowRight: () => step(1), ArrowDown: () => step(1), j: () => step(1),
    ArrowLeft: () => step(-1), ArrowUp: () => step(-1), k: () => step(-1),
    Home: () => go(here().run, 0), End: () => go(here().run, here().last),
    "]": () => same(1), "[": () => same(-1),
    t: theme, p: () => play(here().run),
    f: () => here().run.querySelector(".find input").focus(),
  };

  addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement && event.target.type !== "range";
    if (isTyping && event.key === "Escape") return event.target.blur();
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (!act || (act !== theme && runs.length === 0) || isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (event.key !== "p" && act !== theme) stop();
    act();
  });

  for (const run of runs) {
    const player = run.querySelector(".player");
    if (player) {
      player.hidden = false;
      player.querySelector("button").addEventListener("click", () => play(run));
      player.querySelector("input").addEventListener("input", (event) => {
        stop();
        show(run, event.target.value);
      });
    }
    const rows = run.querySelector(".rows");
    rows?.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "mouse" || playing) return;
      const link = event.target.closest(".row[data-actor]")?.querySelector("a");
      if (link) preview(run, document.getElementById(link.hash.slice(1)));
    });
    rows?.addEventListener("pointerleave", () => preview(run));
  }

  for (const find of document.querySelectorAll(".find")) {
    find.hidden = false;
    const rows = find.closest(".run").querySelectorAll(".row[data-actor]");
    find.firstElementChild.addEventListener("input", (event) => {
      const wanted = event.target.value.toLowerCase();
      for (const row of rows) {
        row.classList.toggle("dim", !row.textContent.toLowerCase().includes(wanted));
      }
    });
  }

  for (const narrow of document.querySelectorAll(".narrow")) {
    narrow.hidden = false;
    const rows = narrow.parentElement.querySelectorAll("tbody tr");
    narrow.firstElementChild.addEventListener("input", (event) => {
      const words = event.target.value.toLowerCase().split(" ");
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
    });
  }

  addEventListener("hashchange", mark);
  mark();
})();
