(() => {
  "use strict";
  const page = document.documentElement;
  const theme = { get: () => null, set: () => {} };
  try {
    // Pages opened from disk may have no storage.
    const store = window.localStorage;
    theme.get = () => store.getItem("pi-theme");
    theme.set = (value) => store.setItem("pi-theme", value);
  } catch { /* then the choice lasts as long as the page */ }
  const dress = (name) => { if (name === "light" || name === "dark") page.dataset.theme = name; };
  page.classList.add("js");
  try { dress(theme.get()); } catch { /* as above */ }

  const byId = (id) => document.getElementById(id);
  let segments, groups;

  // Shows the branch that leads to a segment and on to the newest entry behind it.
  const show = (segment) => {
    const path = new Set();
    for (let at = segment; at && !path.has(at); at = byId(at.dataset.up)) path.add(at);
    for (let at = byId(segment.dataset.down); at && !path.has(at); at = byId(at.dataset.down)) path.add(at);
    mark(path);
  };
  const mark = (path) => {
    for (const segment of segments) {
      const on = path.has(segment);
      const up = segment.dataset.up;
      segment.classList.toggle("on", on);
      segment.classList.toggle("near", !on && (!up || path.has(byId(up))));
      segment.open = on;
    }
    for (const group of groups) group.classList.toggle("on", path.has(byId(group.dataset.segment)));
  };

  // Brings the entry that the address names into view, on whatever branch it is.
  const reveal = () => {
    const target = /^#e\d+$/.test(location.hash) && byId(location.hash.slice(1));
    for (const row of document.querySelectorAll("#tree a.here")) row.classList.remove("here");
    if (!target) return;
    const segment = target.closest(".segment");
    if (segment && !segment.classList.contains("on")) show(segment);
    for (let fold = target.closest("details:not(.segment)"); fold; fold = fold.parentElement.closest("details:not(.segment)")) {
      fold.open = true;
    }
    const row = document.querySelector(`#tree a[href="${location.hash}"]`);
    if (row) row.classList.add("here");
    target.scrollIntoView();
  };

  const unfold = (selector) => {
    const folds = [...document.querySelectorAll(`.segment.on ${selector}`)];
    const open = folds.some((fold) => !fold.open);
    for (const fold of folds) fold.open = open;
  };
  const actions = {
    theme: () => {
      const dark = page.dataset.theme ? page.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      dress(dark ? "light" : "dark");
      try { theme.set(page.dataset.theme); } catch { /* as above */ }
    },
    "fold-thinking": () => unfold(".thinking"),
    "fold-tools": () => unfold(".tool"),
    // The page carries the session's file, escaped so that nothing in it looks like markup to the parser.
    download: () => {
      const data = byId("session");
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([decodeURIComponent(data.textContent)], { type: data.type }));
      link.download = data.dataset.name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    },
  };

  const onClick = (event) => {
    const action = actions[event.target.id];
    if (action) return action();
    const row = event.target.closest("#tree a");
    if (row) {
      byId("tree-open").checked = false;
      // A second click on the same row changes no address.
      if (row.getAttribute("href") === location.hash) reveal();
      return;
    }
    const fork = event.target.closest(".segment > summary");
    if (fork) {
      event.preventDefault();
      show(fork.parentElement);
      fork.parentElement.scrollIntoView({ block: "center" });
    }
  };
  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.key === "t") actions["fold-thinking"]();
    if (event.key === "o") actions["fold-tools"]();
  };
  const find = () => {
    const words = byId("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of document.querySelectorAll("#tree .group a")) {
      const text = words.length ? row.textContent.toLowerCase() : "";
      row.classList.toggle("miss", !words.every((word) => text.includes(word)));
    }
  };

  addEventListener("DOMContentLoaded", () => {
    segments = [...document.querySelectorAll(".segment")];
    groups = [...document.querySelectorAll("#tree .group")];
    mark(new Set(segments.filter((segment) => segment.classList.contains("on"))));
    document.addEventListener("click", onClick);
    document.addEventListener("keydown", onKey);
    byId("find").addEventListener("input", find);
    byId("show").addEventListener("change", (event) => { byId("tree").dataset.show = event.target.value; });
    addEventListener("hashchange", reveal);
    reveal();
  });
})();
