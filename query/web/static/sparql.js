// The editor: YASQE where it is here, and a plain field that asks by Ctrl+Enter where it is not.
"use strict";

(() => {
  const field = document.getElementById("query"), form = field.form;
  const plain = () => field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  if (typeof Yasqe === "undefined") return plain();
  const place = document.createElement("div");
  field.before(place);
  const editor = new Yasqe(place, {
    persistenceId: null,
    showQueryButton: false,
    createShareableLink: null,
    autocompleters: [],
    requestConfig: { endpoint: "/sparql" },
    resizeable: false,
    editorHeight: "16rem",
    extraKeys: { "Ctrl-Enter": () => form.requestSubmit(), "Cmd-Enter": () => form.requestSubmit() },
  });
  // The endpoint declares these prefixes itself, so the editor must not call them undefined.
  const mode = editor.getMode(), begin = mode.startState, known = field.dataset.prefixes.split(" ");
  mode.startState = (...given) => Object.assign(begin(...given), { prefixes: Object.fromEntries(known.map((name) => [name, name])) });
  editor.setValue(field.value);
  editor.getInputField().setAttribute("aria-label", "SPARQL query");
  place.querySelector(".CodeMirror-scroll").tabIndex = 0;
  field.hidden = true;
  field.required = false;
  form.addEventListener("submit", () => { field.value = editor.getValue(); });
})();
