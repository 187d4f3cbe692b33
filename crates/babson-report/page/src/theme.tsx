// The button that chooses between the colors of the system, light and dark.

import { useState } from "preact/hooks";

const THEMES = { auto: "◐ auto", light: "○ light", dark: "● dark" };
type ThemeName = keyof typeof THEMES;
const KEY = "babson-theme";

function stored(): ThemeName {
  try {
    const name = localStorage.getItem(KEY) ?? "";
    return name in THEMES ? (name as ThemeName) : "auto";
  } catch {
    // A page from a disk may have no storage.
    return "auto";
  }
}

export function Theme() {
  const [name, set] = useState(() => {
    const name = stored();
    document.documentElement.dataset.theme = name;
    return name;
  });
  const next = () => {
    const names = Object.keys(THEMES) as ThemeName[];
    const chosen = names[(names.indexOf(name) + 1) % names.length]!;
    document.documentElement.dataset.theme = chosen;
    try {
      localStorage.setItem(KEY, chosen);
    } catch {
      // Then the choice holds for this page only.
    }
    set(chosen);
  };
  return <button type="button" id="theme" aria-label={`Colors: ${name}`} onClick={next}>{THEMES[name]}</button>;
}
