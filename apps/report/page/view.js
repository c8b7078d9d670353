// The body in 3-D, drawn by three.js, and only when something has changed.

const FIELD_OF_VIEW = 35;                 // degrees, of the height
const MOST_TRIANGLES_WITH_EDGES = 20000;  // beyond, the edges of elements would hide the colours at first sight

function hasWebGL() {
  const canvas = document.createElement("canvas");
  return Boolean(window.WebGLRenderingContext && canvas.getContext("webgl"));
}

// The edges of all triangles, each once, as pairs of nodes.
function uniqueEdges(triangles, nodes) {
  const seen = new Set();
  const edges = [];
  for (let i = 0; i < triangles.length; ++i) {
    const a = triangles[i], b = triangles[i % 3 === 2 ? i - 2 : i + 1];
    const key = Math.min(a, b) * nodes + Math.max(a, b);
    if (seen.has(key)) continue;
    seen.add(key);
    edges.push(a, b);
  }
  return edges;
}

// Room for `corners` positions and colours.
function emptyGeometry(corners) {
  const geometry = new THREE.BufferGeometry();
  for (const name of ["position", "color"])
    geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(3 * corners), 3));
  return geometry;
}

class View {
  constructor(stage, motion) {
    this.motion = motion;
    this.stage = stage;
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.setPixelRatio(window.devicePixelRatio);
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    stage.append(this.canvas);
    this.positions = new Float32Array(motion.rest.length);
    this.scene = new THREE.Scene();
    this.makeBody();
    this.makeCamera();
    this.resize();
    new ResizeObserver(() => this.resize()).observe(stage);
  }

  // Triangles don't share corners, so that each can have the colour of its own element.
  makeBody() {
    this.surface = emptyGeometry(this.motion.triangles.length);
    this.lines = emptyGeometry(this.motion.lines.length);
    const facets = new THREE.MeshPhongMaterial({
      vertexColors: THREE.VertexColors, side: THREE.DoubleSide, flatShading: true, shininess: 8, specular: 0x111111,
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    });
    this.add(new THREE.Mesh(this.surface, facets));
    this.add(new THREE.LineSegments(this.lines, new THREE.LineBasicMaterial({ vertexColors: THREE.VertexColors })));
  }

  add(object) {
    object.frustumCulled = false;  // its bounds change with every frame
    this.scene.add(object);
    return object;
  }

  makeCamera() {
    const { lower, span } = this.motion;
    this.centre = new THREE.Vector3(...lower.map((value, k) => value + span[k] / 2));
    const radius = Math.max(Math.hypot(...span) / 2, 1e-9);
    this.camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, radius / 100, radius * 100);
    const up = new THREE.Vector3(...this.motion.up);
    const right = Math.abs(up.x) < 0.9 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 1, 0);
    right.addScaledVector(up, -right.dot(up)).normalize();
    const towards = new THREE.Vector3().crossVectors(right, up).addScaledVector(right, 0.5).addScaledVector(up, 0.4);
    this.camera.up.copy(up);
    this.camera.position.copy(this.centre)
        .addScaledVector(towards.normalize(), 0.95 * radius / Math.sin((FIELD_OF_VIEW / 2) * Math.PI / 180));
    this.scene.add(this.camera);
    this.scene.add(new THREE.AmbientLight(0xffffff, 0.72));
    const lamp = new THREE.DirectionalLight(0xffffff, 0.42);
    lamp.position.set(-0.4, 0.7, 1);  // behind the viewer's left shoulder, wherever the viewer goes
    this.camera.add(lamp);
    this.orbit = new THREE.OrbitControls(this.camera, this.canvas);
    this.orbit.enableKeys = false;  // player.js has keys of its own
    this.orbit.target.copy(this.centre);
    this.orbit.update();
    this.orbit.saveState();
    this.orbit.addEventListener("change", () => this.requestDrawing());
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // In a narrow window the width has to hold the body, not the height.
    this.camera.zoom = Math.min(1, this.camera.aspect);
    this.camera.updateProjectionMatrix();
    this.requestDrawing();
  }

  // Angles in radians about the centre; `factor` of the distance.
  turn(aside, upwards, factor) {
    const toY = new THREE.Quaternion().setFromUnitVectors(this.camera.up, new THREE.Vector3(0, 1, 0));
    const offset = this.camera.position.clone().sub(this.orbit.target).applyQuaternion(toY);
    const spherical = new THREE.Spherical().setFromVector3(offset);
    spherical.theta += aside;
    spherical.phi = Math.min(Math.max(spherical.phi - upwards, 0.01), Math.PI - 0.01);
    spherical.radius *= factor;
    offset.setFromSpherical(spherical).applyQuaternion(toY.inverse());
    this.camera.position.copy(this.orbit.target).add(offset);
    this.orbit.update();
    this.requestDrawing();
  }

  reset() { this.orbit.reset(); }

  showEdges(visible) {
    if (!this.grid && visible) {
      const geometry = new THREE.BufferGeometry();
      this.gridPositions = new THREE.BufferAttribute(this.positions, 3);
      geometry.setAttribute("position", this.gridPositions);
      geometry.setIndex(uniqueEdges(this.motion.triangles, this.motion.nodes));
      const ink = new THREE.LineBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.25 });
      this.grid = this.add(new THREE.LineSegments(geometry, ink));
    }
    if (this.grid) this.grid.visible = visible;
    if (this.gridPositions) this.gridPositions.needsUpdate = true;
    this.requestDrawing();
  }

  show(frame, field, range) {
    this.motion.readPositions(frame, this.positions);
    const { triangles, lines } = this.motion;
    const entry = this.motion.values(field, frame);
    const table = colourTable(field, entry, range);
    const levelOf = field.on === "nodes" ? (node) => entry.levels[node] : (node, element) => entry.levels[element];
    this.fill(this.surface, triangles, 3, 0, table, levelOf);
    this.fill(this.lines, lines, 2, triangles.length / 3, table, levelOf);
    if (this.gridPositions) this.gridPositions.needsUpdate = true;
    this.requestDrawing();
  }

  // Positions and colours of the corners of elements that have `width` of them; the first one is element `first`.
  fill(geometry, corners, width, first, table, levelOf) {
    const { position, color } = geometry.attributes;
    for (let i = 0; i < corners.length; ++i) {
      const node = corners[i];
      const level = levelOf(node, first + Math.floor(i / width));
      for (let k = 0; k < 3; ++k) {
        position.array[3 * i + k] = this.positions[3 * node + k];
        color.array[3 * i + k] = table[3 * level + k];
      }
    }
    position.needsUpdate = true;
    color.needsUpdate = true;
  }

  requestDrawing() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() { this.renderer.render(this.scene, this.camera); }

  // How many pixels of the picture are the body's: the rest of it is transparent.
  drawnPixels() {
    this.draw();
    const gl = this.renderer.getContext();
    const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    let drawn = 0;
    for (let i = 3; i < pixels.length; i += 4) drawn += pixels[i] > 0;
    return drawn;
  }
}
