// Pictures of the run are tied to the frame shown: a line marks it, and a click in a picture goes there.

// Where the plot lies in the SVG and what its x axis spans, as apps/plot writes it.
function plotArea(svg) {
  const [left, right, top, bottom, lower, upper] = svg.querySelector(".axis").dataset.area.split(" ").map(Number);
  return { left, right, top, bottom, lower, upper };
}

function tiePicture(svg, motion, player) {
  const perStep = svg.parentElement.dataset.x === "time" ? motion.timeStep : 1;
  const area = plotArea(svg);
  const marker = document.createElementNS("http://www.w3.org/2000/svg", "line");
  marker.setAttribute("class", "marker");
  marker.setAttribute("y1", area.top);
  marker.setAttribute("y2", area.bottom);
  svg.append(marker);
  const follow = (frame) => {
    const share = (motion.steps[frame] * perStep - area.lower) / (area.upper - area.lower);
    const x = area.left + Math.min(Math.max(share, 0), 1) * (area.right - area.left);
    marker.setAttribute("x1", x);
    marker.setAttribute("x2", x);
  };
  player.onFrame(follow);
  follow(player.frame);
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
    const value = area.lower + ((x - area.left) / (area.right - area.left)) * (area.upper - area.lower);
    player.pause();
    player.show(motion.frameOfStep(value / perStep + 0.5));
  });
}

function tiePictures(motion, player) {
  for (const figure of document.querySelectorAll("figure[data-x]"))
    tiePicture(figure.querySelector("svg"), motion, player);
}
