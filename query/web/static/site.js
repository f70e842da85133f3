// What makes every page better with a script: suggestions, copying, hints that stay on the screen and can be sent away.
"use strict";

const suggestions = (input) => {
  const list = document.createElement("ul");
  list.className = "suggestions";
  list.id = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  list.hidden = true;
  input.form.append(list);
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false" })) input.setAttribute(name, value);
  let at = -1, found = [], asked = 0;

  const choose = (next) => {
    at = next;
    [...list.children].forEach((item, index) => item.setAttribute("aria-selected", index === at));
    if (at >= 0) input.setAttribute("aria-activedescendant", list.children[at].id);
    else input.removeAttribute("aria-activedescendant");
  };
  const close = () => { list.hidden = true; input.setAttribute("aria-expanded", "false"); choose(-1); };
  const show = (items) => {
    found = items;
    list.replaceChildren(...items.map((item, index) => {
      const line = document.createElement("li"), note = document.createElement("span");
      line.setAttribute("role", "option");
      line.id = `suggestion-${index}`;
      note.textContent = item.note;
      line.append(item.label, note);
      line.addEventListener("pointerdown", (event) => { event.preventDefault(); location.assign(item.address); });
      return line;
    }));
    at = -1;
    list.hidden = items.length === 0;
    input.setAttribute("aria-expanded", String(items.length > 0));
  };
  const ask = async () => {
    const typed = input.value.trim(), mine = ++asked;
    if (!typed || typed.length > 100) return close();
    const answer = await fetch(`/api/v1/suggest?q=${encodeURIComponent(typed)}`);
    if (answer.ok && mine === asked) show((await answer.json()).items);
  };
  let waiting;
  input.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(ask, 90); });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return close();
    if (list.hidden) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) { event.preventDefault(); choose((at + step + found.length + (at < 0 && step < 0 ? 1 : 0)) % found.length); }
    if (event.key === "Enter" && at >= 0) { event.preventDefault(); location.assign(found[at].address); }
  });
};

// A button that copies a text, and says so for a moment, also to those who only hear it.
const copier = (name, title, text) => {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = name;
  button.title = title;
  button.setAttribute("aria-label", title);
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = "copied";
    button.setAttribute("aria-label", "copied");
    setTimeout(() => { button.textContent = name; button.setAttribute("aria-label", title); }, 1500);
  });
  return button;
};

const copying = (place) => {
  const number = place.dataset.key, told = place.closest("[data-lasting]").dataset;
  const address = new URL(told.lasting + number, location).href;
  place.append(
    copier("link", `Copy the link to ${number}`, address),
    copier("cite", `Copy, to cite ${number}`, told.citation.replace("*", number)),
  );
};

const copyingForms = (list) => {
  for (const name of list.querySelectorAll("dt")) name.append(" ", copier("copy", `Copy as ${name.textContent}`, name.nextElementSibling.textContent));
};

const hints = () => {
  const place = (reference) => {
    const hint = reference.querySelector(".hint");
    hint.style.left = "0";
    const box = hint.getBoundingClientRect(), over = box.right - document.documentElement.clientWidth + 12;
    if (over > 0) hint.style.left = `${-Math.min(over, box.left - 8)}px`;
    hint.style.top = box.bottom > innerHeight && box.height < reference.getBoundingClientRect().top ? "auto" : "100%";
    hint.style.bottom = hint.style.top === "auto" ? "100%" : "auto";
  };
  for (const kind of ["pointerover", "focusin"]) {
    document.addEventListener(kind, (event) => {
      const reference = event.target.closest?.(".ref");
      if (reference) place(reference);
    });
  }
  document.addEventListener("pointerout", (event) => event.target.closest?.(".ref")?.classList.remove("quiet"));
  document.addEventListener("focusout", (event) => event.target.closest?.(".ref")?.classList.remove("quiet"));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") for (const one of document.querySelectorAll(".ref:hover, .ref:focus-within")) one.classList.add("quiet");
    // With a modifier: a key alone would be in the way of those who speak to their computer (WCAG 2.1.4).
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.target.closest?.("textarea")) { event.preventDefault(); document.getElementById("q")?.focus(); }
  });
};

const box = document.getElementById("q");
if (box) suggestions(box);
if (navigator.clipboard) {
  document.querySelectorAll(".copies").forEach(copying);
  document.querySelectorAll(".formats dl").forEach(copyingForms);
}
hints();
