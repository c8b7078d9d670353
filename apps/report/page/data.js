// The motion that the page carries as JSON, with its arrays decoded when they are first asked for. See motion.hpp for
// how positions and values were rounded.

function decodeBytes(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

const POSITION_LEVELS = 65535;
const VALUE_LEVELS = 254;
const NO_NUMBER = 255;

class Motion {
  constructor(json) {
    this.up = json.up;
    this.steps = json.steps;
    this.timeStep = json.time_step;
    this.fields = json.fields;
    this.lower = json.lower;
    this.span = json.span;
    this.rest = new Float32Array(decodeBytes(json.rest).buffer);
    this.triangles = new Uint32Array(decodeBytes(json.triangles).buffer);
    this.lines = new Uint32Array(decodeBytes(json.lines).buffer);
    this.frames = json.positions.map((base64) => ({ base64, levels: null }));
  }

  get nodes() { return this.rest.length / 3; }

  time(frame) { return this.steps[frame] * this.timeStep; }

  // The frame that is nearest to a step from below.
  frameOfStep(step) {
    let frame = 0;
    while (frame + 1 < this.steps.length && this.steps[frame + 1] <= step) ++frame;
    return frame;
  }

  // 3 a node, into `out`.
  readPositions(frame, out) {
    const entry = this.frames[frame];
    if (!entry.levels) {
      entry.levels = new Uint16Array(decodeBytes(entry.base64).buffer);
      entry.base64 = null;
    }
    for (let i = 0; i < out.length; ++i)
      out[i] = this.lower[i % 3] + (entry.levels[i] / POSITION_LEVELS) * this.span[i % 3];
  }

  // { lower, upper, levels } of a field in a frame.
  values(field, frame) {
    const entry = field.frames[field.frames.length === 1 ? 0 : frame];
    if (!entry.levels) {
      entry.levels = decodeBytes(entry.values);
      entry.values = null;
    }
    return entry;
  }
}

// A number with three digits, for people.
function shortNumber(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(2);
  return String(Number(value.toPrecision(3)));
}
