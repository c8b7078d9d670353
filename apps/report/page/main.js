// Puts the page together. What has been done is written into attributes of the document, for whoever tests the page:
// data-frames, data-triangles, data-lines, data-pixels (drawn, of the body), data-requests (of other files), data-blocked
// (those that the page's own policy refused), data-errors, and data-ready at the end.

const state = document.documentElement.dataset;
state.errors = "0";
state.blocked = "0";
window.addEventListener("error", () => { state.errors = String(Number(state.errors) + 1); });
document.addEventListener("securitypolicyviolation", () => { state.blocked = String(Number(state.blocked) + 1); });

const byId = (id) => document.getElementById(id);

function chooseTheme() {
  const dark = state.theme ? state.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  state.theme = dark ? "light" : "dark";
}

// Slow enough to see something, fast enough not to fall asleep: the speed that makes the motion last nearest to 6 s.
function chooseSpeed(choice, seconds) {
  const miss = (option) => Math.abs(Math.log(seconds / Number(option.value) / 6));
  const options = [...choice.options];
  options.sort((a, b) => miss(a) - miss(b));
  choice.value = options[0].value;
}

// report.html#step=120&field=von_mises opens at that step in that colour.
function goToAddress(motion, player, controls) {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const field = motion.fields.findIndex(({ key }) => key === wanted.get("field"));
  if (field >= 0) controls.field.selectedIndex = field;
  player.show(motion.frameOfStep(Number(wanted.get("step")) || 0));
}

function startView(motion) {
  const names = ["play", "scrub", "when", "field", "speed", "range", "edges", "reset", "bar"];
  const controls = Object.fromEntries(names.map((name) => [name, byId(name)]));
  chooseSpeed(controls.speed, Math.max(motion.time(motion.steps.length - 1), 1e-9));
  const view = new View(byId("stage"), motion);
  const player = new Player(motion, view, controls);
  tiePictures(motion, player);
  goToAddress(motion, player, controls);
  byId("controls").hidden = false;
  view.resize();
  state.frames = String(motion.steps.length);
  state.triangles = String(motion.triangles.length / 3);
  state.lines = String(motion.lines.length / 2);
  state.pixels = String(view.drawnPixels());
}

function start() {
  byId("theme").addEventListener("click", chooseTheme);
  const data = byId("motion");
  if (!data) return;
  if (hasWebGL()) {
    byId("no-view").remove();
    startView(new Motion(JSON.parse(data.textContent)));
  } else {
    byId("no-view").textContent = "The body would move here, but this browser has no WebGL. All else is below.";
  }
}

start();
state.requests = String(performance.getEntriesByType("resource").length);
state.ready = "true";
