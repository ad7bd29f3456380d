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

  // The next page is another document, and shall not jump.
  addEventListener("pagehide", () => remembered?.setItem("scroll", String(scrollY)));
  const scroll = Number(remembered?.getItem("scroll") ?? 0);
  if (scroll > 0) scrollTo(0, scroll);
})();
