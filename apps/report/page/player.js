// Which frame is shown, in which colours: buttons, the slider, keys, and time going by.

const TURN = 0.12, NEARER = 0.88;  // of one key press

class Player {
  constructor(motion, view, controls) {
    this.motion = motion;
    this.view = view;
    this.controls = controls;
    this.frame = 0;
    this.playing = false;
    this.listeners = [];
    this.offerChoices();
    this.listen();
    view.showEdges(controls.edges.checked);
    this.show(0);
  }

  get last() { return this.motion.steps.length - 1; }
  get field() { return this.motion.fields[this.controls.field.selectedIndex]; }
  onFrame(listener) { this.listeners.push(listener); }

  offerChoices() {
    const { field, scrub, edges } = this.controls;
    for (const { label } of this.motion.fields) field.add(new Option(label));
    scrub.max = this.last;
    edges.checked = this.motion.triangles.length / 3 <= MOST_TRIANGLES_WITH_EDGES;
  }

  listen() {
    const { play, scrub, field, range, edges, reset } = this.controls;
    play.addEventListener("click", () => this.toggle());
    scrub.addEventListener("input", () => {
      this.pause();
      this.show(Number(scrub.value));
    });
    for (const choice of [field, range]) choice.addEventListener("change", () => this.show(this.frame));
    edges.addEventListener("change", () => this.view.showEdges(edges.checked));
    reset.addEventListener("click", () => this.view.reset());
    this.view.canvas.addEventListener("keydown", (event) => this.press(event));
  }

  press(event) {
    const actions = {
      ArrowLeft: () => this.view.turn(-TURN, 0, 1),
      ArrowRight: () => this.view.turn(TURN, 0, 1),
      ArrowUp: () => this.view.turn(0, TURN, 1),
      ArrowDown: () => this.view.turn(0, -TURN, 1),
      "+": () => this.view.turn(0, 0, NEARER),
      "=": () => this.view.turn(0, 0, NEARER),
      "-": () => this.view.turn(0, 0, 1 / NEARER),
      " ": () => this.toggle(),
      ",": () => this.stepBy(-1),
      ".": () => this.stepBy(1),
      Home: () => this.stepBy(-this.last),
      End: () => this.stepBy(this.last),
      r: () => this.view.reset(),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  }

  stepBy(count) {
    this.pause();
    this.show(Math.min(Math.max(this.frame + count, 0), this.last));
  }

  // What the colour bar spans: the whole motion, or only this frame.
  range() {
    const { lower, upper } = this.field;
    if (this.field.categories || this.controls.range.value === "motion") return { lower, upper };
    const entry = this.motion.values(this.field, this.frame);
    return { lower: entry.lower, upper: entry.upper };
  }

  show(frame) {
    this.frame = frame;
    const range = this.range();
    const whole = this.controls.range.value === "motion";
    this.view.show(frame, this.field, range);
    drawColourBar(this.controls.bar, this.field, range, whole ? this.field.greatest : range.upper);
    const step = this.motion.steps[frame];
    this.controls.scrub.value = frame;
    this.controls.when.textContent = `step ${step}, t = ${shortNumber(step * this.motion.timeStep)} s`;
    this.controls.scrub.setAttribute("aria-valuetext", this.controls.when.textContent);
    for (const listener of this.listeners) listener(frame);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.start();
  }

  pause() {
    this.playing = false;
    this.controls.play.textContent = "Play";
  }

  start() {
    if (this.last === 0) return;
    this.playing = true;
    this.controls.play.textContent = "Pause";
    if (this.frame === this.last) this.show(0);
    let time = this.motion.time(this.frame);
    let before = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      time += (Math.max(now - before, 0) / 1000) * Number(this.controls.speed.value);
      before = now;
      const end = this.motion.time(this.last);
      if (time > end) time = this.motion.time(0);
      const frame = this.motion.frameOfStep(time / this.motion.timeStep + 1e-9);
      if (frame !== this.frame) this.show(frame);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
}
