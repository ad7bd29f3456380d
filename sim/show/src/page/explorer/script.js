// The keys of the explorer. Each leads where a link or a field of the page is.
(() => {
  const find = document.querySelector("#find");

  addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (isTyping && event.key === "Escape") return event.target.blur();
    if (isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "t") return theme();
    const named = [...document.querySelectorAll("[data-keys]")];
    const found = named.find((it) => it.dataset.keys.split(" ").includes(event.key));
    if (!found) return;
    event.preventDefault();
    if (found instanceof HTMLInputElement) found.focus();
    else found.click();
  });

  if (find) {
    find.parentElement.hidden = false;
    const rows = document.querySelectorAll(".row[data-actor], .act");
    find.addEventListener("input", () => {
      const wanted = find.value.toLowerCase();
      for (const row of rows) {
        row.classList.toggle("dim", !row.textContent.toLowerCase().includes(wanted));
      }
    });
  }

  // While it is looked at, a page asks whether it is made of what the file says now.
  const changed = document.querySelector("#changed");
  const ask = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch("/version");
      if (answer.ok) changed.hidden = (await answer.text()) === changed.dataset.version;
    } catch {
      // The explorer has ended.
    }
  };
  if (changed && location.protocol === "http:") {
    setInterval(ask, 2000);
    document.addEventListener("visibilitychange", ask);
  }

  // The next page is another document, and shall not jump.
  addEventListener("pagehide", () => remembered?.setItem("scroll", String(scrollY)));
  const scroll = Number(remembered?.getItem("scroll") ?? 0);
  if (scroll > 0) scrollTo(0, scroll);
})();
