// A small world state by state: what there is, what can happen, and where that leads. The address
// holds the way: of each step its place among what can happen where it is taken.
(() => {
  const data = document.getElementById("graph");
  if (!data) return;
  const { lines, acts, states, runs } = JSON.parse(data.textContent);
  const part = (name) => document.getElementById(`walk-${name}`);

  const element = (name, ...inside) => {
    const made = document.createElement(name);
    made.append(...inside);
    return made;
  };
  const lead = (link, way) => {
    link.href = `#walk${way.map((choice) => `-${choice}`).join("")}`;
    return link;
  };
  const act = ([line, clauses], way) => {
    const link = lead(element("a", line), way);
    return element("li", link, ...clauses.flatMap((clause) => [" ", element("code", clause)]));
  };

  // The way that the address holds, as far as there is one, and the states on it.
  const walked = () => {
    const named = /^#walk((?:-\d+)*)$/.exec(location.hash);
    const way = [];
    const passed = [0];
    for (const choice of named ? named[1].split("-").slice(1).map(Number) : []) {
      const next = states[passed.at(-1)].next[choice];
      if (!next) break;
      way.push(choice);
      passed.push(next[1]);
    }
    return { way, passed, isNamed: named !== null };
  };

  const show = () => {
    const { way, passed, isNamed } = walked();
    const state = states[passed.at(-1)];
    const before = new Set(way.length > 0 ? states[passed.at(-2)].lines : state.lines);
    part("where").textContent =
      `state ${passed.at(-1) + 1} of ${states.length}, after ${way.length} steps`;
    lead(part("start"), []);
    lead(part("back"), way.slice(0, -1));
    part("next").replaceChildren(
      ...state.next.map(([it], choice) => act(acts[it], [...way, choice])),
    );
    if (state.quiescent) {
      part("next").prepend(element("li", "Nobody who is assumed to act can do anything."));
    }
    part("lines").replaceChildren(
      ...state.lines.map((it) => {
        return element("li", before.has(it) ? lines[it] : element("mark", lines[it]));
      }),
    );
    part("way").replaceChildren(
      ...way.map((choice, at) => {
        return act(acts[states[passed[at]].next[choice][0]], way.slice(0, at + 1));
      }),
    );
    return isNamed;
  };

  part("start").ariaLabel = "to the start";
  part("back").ariaLabel = "a step back";
  part("runs").replaceChildren(
    ...runs.flatMap(({ claim, choices }) => {
      return [lead(element("a", `the run that violates: ${claim}`), choices), element("br")];
    }),
  );
  const panel = document.getElementById("walk");
  panel.hidden = false;
  addEventListener("hashchange", show);
  if (show()) panel.scrollIntoView();
})();
