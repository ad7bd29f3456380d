"use strict";
// Light or dark: what the reader has chosen, or else what the browser says. A page that is served
// remembers it for the next one; a file may not.
const remembered = (() => {
  try {
    return location.protocol === "file:" ? undefined : sessionStorage;
  } catch {
    return undefined;
  }
})();

const theme = () => {
  const root = document.documentElement;
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = root.dataset.theme ?? (isDark ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
  remembered?.setItem("theme", root.dataset.theme);
};

{
  const chosen = remembered?.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
  for (const hidden of document.querySelectorAll("#theme, .keys")) hidden.hidden = false;
  document.getElementById("theme").addEventListener("click", theme);
  // What a command says is copied without the mark before it.
  for (const command of navigator.clipboard ? document.querySelectorAll(".command") : []) {
    const text = command.textContent;
    if (!text.startsWith("$ ")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text.slice(2));
      button.textContent = "copied";
    });
    command.prepend(button);
  }
}
