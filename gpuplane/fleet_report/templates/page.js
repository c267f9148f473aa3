"use strict";
// The view of a team, and what is searched for: both stand in the address.
(() => {
  const form = document.querySelector("header form");
  const { team, find } = form.elements;
  const sentence = document.getElementById("sentence"), detail = document.getElementById("detail");
  const everybody = [sentence.textContent, detail.textContent];
  const rows = [...document.querySelectorAll("[data-teams]")];
  const folds = [...document.querySelectorAll("details.cap")];
  const open = folds.map((fold) => fold.open);

  function show() {
    const name = team.value, wanted = find.value.trim().toLowerCase();
    const own = name && document.getElementById(`team=${name}`);
    document.body.classList.toggle("team", name !== "");
    [sentence.textContent, detail.textContent] = own ? [own.dataset.sentence, own.dataset.detail] : everybody;
    for (const row of rows) {
      const isOf = !name || row.dataset.teams.split(" ").includes(name);
      row.hidden = !(isOf && row.textContent.toLowerCase().includes(wanted));
    }
    for (const part of document.querySelectorAll(".cap [data-team]")) {
      part.classList.toggle("mine", part.dataset.team === name);
    }
    folds.forEach((fold, number) => {
      const left = [...fold.querySelectorAll("[data-teams]")].some((row) => !row.hidden);
      fold.hidden = !left;
      fold.open = name || wanted ? left : open[number];
    });
  }

  function keep() {
    const state = new URLSearchParams();
    if (team.value) state.set("team", team.value);
    if (find.value) state.set("find", find.value);
    history.replaceState(null, "", `#${state}`);
    show();
  }

  function restore() {
    const state = new URLSearchParams(location.hash.slice(1));
    if (state.has("team") || state.has("find") || location.hash.length < 2) {
      team.value = state.get("team") ?? "";
      if (team.selectedIndex < 0) team.value = "";
      find.value = state.get("find") ?? "";
      show();
      // Not to the row of the team, to which a browser goes by itself.
      if (team.value) setTimeout(() => scrollTo(0, 0));
    }
  }

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      form.reset();
      keep();
    } else if (event.key === "/" && !event.target.matches("input, select")) {
      event.preventDefault();
      find.focus();
    }
  });
  form.addEventListener("input", keep);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", restore);
  addEventListener("load", restore);
  addEventListener("beforeprint", () => folds.forEach((fold) => { fold.open = !fold.hidden; }));
  form.hidden = false;
  restore();
})();
