// The neighbourhood as a picture to walk in; without this, or without Cytoscape, the server's own drawing stays.
"use strict";

(() => {
  const picture = document.querySelector("svg.around"), source = document.currentScript?.dataset.cytoscape;
  if (!picture || !source) return;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Walk the graph";
  picture.after(button);

  const load = () => new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = source;
    script.onload = done;
    script.onerror = failed;
    document.head.append(script);
  });
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  button.addEventListener("click", async () => {
    button.disabled = true;
    await load();
    const field = document.createElement("div"), open = document.createElement("p");
    field.className = "walk";
    field.tabIndex = 0;
    field.setAttribute("role", "application");
    field.setAttribute("aria-label", "References as a graph: drag or arrow keys to move, scroll or plus and minus to zoom, click an entry to go on from there");
    open.className = "note";
    button.replaceWith(field, open);
    // Cytoscape puts its style sheet into the page unless an element of this name is there; the rules are ours.
    const marker = document.createElement("i");
    marker.id = "__________cytoscape_stylesheet";
    marker.hidden = true;
    document.head.append(marker);
    const graph = cytoscape({
      container: field,
      minZoom: 0.2, maxZoom: 3,
      style: [
        { selector: "node", style: { label: "data(label)", "font-size": 11, color: colour("--ink"), "background-color": colour("--soft"), width: 14, height: 14, "text-valign": "bottom", "text-margin-y": 3, "text-max-width": 90, "text-wrap": "ellipsis" } },
        { selector: "node.walked", style: { "background-color": colour("--number"), width: 20, height: 20 } },
        { selector: "edge", style: { width: 1, "line-color": colour("--soft"), "target-arrow-color": colour("--soft"), "target-arrow-shape": "triangle", "arrow-scale": 0.7, "curve-style": "bezier", opacity: 0.6 } },
      ],
    });
    const node = (key, title) => ({ data: { id: key, label: key.startsWith("term/") ? title ?? key : title ? `${key} ${title}` : key } });
    const walk = async (key) => {
      const answer = await fetch(`/api/v1/rules/${encodeURIComponent(key)}/neighbours?most=12&edition=${picture.dataset.edition}`);
      if (!answer.ok) return;
      const { neighbourhood: around } = await answer.json();
      const fresh = [node(key, around.title), ...[...around.cites, ...around.cited_by].map((one) => node(one.key, one.title))];
      const edges = [...around.cites.map((one) => [key, one.key]), ...around.cited_by.map((one) => [one.key, key])];
      graph.add(fresh.filter((one) => graph.getElementById(one.data.id).empty()));
      graph.add(edges.map(([from, to]) => ({ data: { id: `${from} ${to}`, source: from, target: to } })).filter((one) => graph.getElementById(one.data.id).empty()));
      graph.getElementById(key).addClass("walked");
      graph.layout({ name: "cose", animate: false, nodeOverlap: 24, idealEdgeLength: () => 90, nodeDimensionsIncludeLabels: true, padding: 24, randomize: false }).run();
      if (graph.zoom() > 1.2) { graph.zoom(1.2); graph.center(); }  // a few entries are not blown up
      const link = document.createElement("a");
      link.href = key.startsWith("term/") ? `/${key}` : `/cr/${key}`;
      link.textContent = around.title ?? key;
      open.replaceChildren("Open ", link);
    };
    field.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
      const zoom = { "+": 1.25, "-": 0.8 }[event.key];
      if (by) graph.panBy({ x: by[0], y: by[1] });
      if (zoom) graph.zoom({ level: graph.zoom() * zoom, renderedPosition: { x: field.clientWidth / 2, y: field.clientHeight / 2 } });
      if (by || zoom) event.preventDefault();
    });
    graph.on("tap", "node", (event) => walk(event.target.id()));
    await walk(picture.dataset.key);
    field.focus();
  });
})();
