// Colours of values. Quantities take viridis (van der Walt and Smith, 2015, in the public domain), which rises evenly in
// lightness and is read with any colour vision; materials take the colours of Okabe and Ito (2008).

const QUANTITY_STOPS = ["#440154", "#482475", "#414487", "#355f8d", "#2a788e", "#21918c", "#22a884", "#44bf70",
                        "#7ad151", "#bddf26", "#fde725"].map(parseColour);
const CATEGORY_COLOURS = ["#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#0072b2", "#d55e00", "#f0e442"].map(parseColour);
const UNKNOWN_COLOUR = [0.6, 0.6, 0.6];

function parseColour(text) {
  return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16) / 255);
}

function cssColour(colour) {
  return `rgb(${colour.map((part) => Math.round(255 * part)).join(" ")})`;
}

// `share` of the way through the map; what is outside takes the colour at the end.
function quantityColour(share) {
  const place = Math.min(Math.max(share, 0), 1) * (QUANTITY_STOPS.length - 1);
  const at = Math.min(Math.floor(place), QUANTITY_STOPS.length - 2);
  return QUANTITY_STOPS[at].map((part, k) => part + (place - at) * (QUANTITY_STOPS[at + 1][k] - part));
}

function categoryColour(category) { return CATEGORY_COLOURS[category % CATEGORY_COLOURS.length]; }

// The colour of each byte that stands for a value, 3 numbers each: `entry` as Motion.values gives it, `range` what the
// colour bar spans.
function colourTable(field, entry, range) {
  const table = new Float32Array(3 * 256);
  for (let level = 0; level < NO_NUMBER; ++level) {
    const value = entry.lower + (level / VALUE_LEVELS) * (entry.upper - entry.lower);
    const span = range.upper - range.lower;
    const colour = field.categories ? categoryColour(Math.round(value))
                                    : quantityColour(span > 0 ? (value - range.lower) / span : 0);
    table.set(colour, 3 * level);
  }
  table.set(UNKNOWN_COLOUR, 3 * NO_NUMBER);
  return table;
}

function drawColourBar(element, field, range, greatest) {
  element.replaceChildren();
  const add = (kind, className, text) => {
    const child = document.createElement(kind);
    child.className = className;
    child.textContent = text;
    element.append(child);
    return child;
  };
  add("div", "bar-title", field.unit ? `${field.label}, ${field.unit}` : field.label);
  if (field.categories) {
    field.categories.forEach((name, category) => {
      const row = add("div", "bar-row", "");
      const swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.background = cssColour(categoryColour(category));
      row.append(swatch, name);
    });
    return;
  }
  const stops = QUANTITY_STOPS.map(cssColour).join(", ");
  add("div", "bar", "").style.background = `linear-gradient(to right, ${stops})`;
  const ends = add("div", "bar-ends", "");
  const middle = (range.lower + range.upper) / 2, span = range.upper - range.lower;
  for (const value of [range.lower, middle, range.upper]) {
    const label = document.createElement("span");
    label.textContent = shortNumber(Math.abs(value) < 1e-9 * span ? 0 : value);  // else rounding errors have labels
    ends.append(label);
  }
  if (greatest > range.upper) add("div", "bar-note", `the last colour also for more, up to ${shortNumber(greatest)}`);
}
