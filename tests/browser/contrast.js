// The texts that are too faint against what is behind them, and by how much. The least is what WCAG
// asks of text of any size, 4.5 to 1; what is found is the ratio of relative luminances. Written for
// backgrounds that are colours, which may let others through.
(() => {
  const LEAST = 4.5;
  const pencil = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

  // A colour of a style sheet as red, green, blue and opacity.
  const known = new Map();
  const read = (colour) => {
    if (!known.has(colour)) known.set(colour, draw(colour));
    return known.get(colour);
  };
  const draw = (colour) => {
    pencil.clearRect(0, 0, 1, 1);
    pencil.fillStyle = colour;
    pencil.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pencil.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = (top, below) => {
    const mix = (at) => top[at] * top[3] + below[at] * (1 - top[3]);
    return [mix(0), mix(1), mix(2), 1];
  };
  const luminance = (colour) => {
    const [red, green, blue] = colour.slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };

  // What is behind an element, and how much of the element is seen.
  const behind = (element) => {
    const layers = [];
    let opacity = 1;
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      layers.unshift(read(style.backgroundColor));
      opacity *= Number(style.opacity);
    }
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const page = dark ? [18, 18, 18, 1] : [255, 255, 255, 1];
    return { colour: layers.reduce((below, top) => over(top, below), page), opacity };
  };

  const faint = new Map();
  let seen = 0;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    const text = walk.currentNode.data.trim();
    if (!text || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (["SCRIPT", "STYLE", "TITLE"].includes(element.tagName.toUpperCase())) continue;
    seen += 1;
    const style = getComputedStyle(element);
    const isDrawn = element instanceof SVGElement;
    const { colour, opacity } = behind(element);
    const ink = read(isDrawn ? style.fill : style.color);
    const shown = over([...ink.slice(0, 3), ink[3] * opacity], colour);
    const [low, high] = [luminance(shown), luminance(colour)].sort((a, b) => a - b);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < LEAST) {
      const place = `${element.tagName}.${element.getAttribute("class") ?? ""}`;
      const found = `${place}: ${ratio.toFixed(2)} to 1, such as "${text.slice(0, 40)}"`;
      faint.set(`${place} ${shown}`, found);
    }
  }
  return { seen, faint: [...faint.values()] };
})()
