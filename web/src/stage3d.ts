// 3D scenes on WebGL2: light, shadows, a camera that goes around. Where there is no WebGL2, solids
// are drawn plainly.
import {
  AmbientLight, BoxGeometry, BufferAttribute, BufferGeometry, CanvasTexture, Color, DirectionalLight, DoubleSide, DynamicDrawUsage, Fog, GridHelper, Group,
  InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshLambertMaterial, PCFShadowMap, PerspectiveCamera, PlaneGeometry, Points, PointsMaterial,
  Quaternion, Scene, SphereGeometry, SRGBColorSpace, Vector3, WebGLRenderer,
} from "three";
import type { Answer, Drawing } from "./engine/protocol";
import { Marks } from "./marks3d";
import { add, pose, times, turn, unit } from "./orbit";
import { mix, type Palette, palette, readable } from "./palette";
import { type Past, Scale } from "./past";
import { faces, SpatialBase } from "./spatial";
import type { Picked, Shown } from "./stage";

export class SpatialStage extends SpatialBase {
  private renderer: WebGLRenderer;
  private scene = new Scene();
  private camera = new PerspectiveCamera(40, 1, 0.01, 1000);
  private sun = new DirectionalLight(0xffffff, 2.2);
  private spheres: InstancedMesh | undefined;
  private boxes: InstancedMesh | undefined;
  private sphereBodies: number[] = [];
  private boxBodies: number[] = [];
  /** Hulls of one shape are drawn together. */
  private hulls = new Map<string, { bodies: number[]; mesh?: InstancedMesh }>();
  private ground = new Group();
  private sheets = new Map<number, Group>();
  private lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, depthTest: false }));
  private dots = new Points(new BufferGeometry(), new PointsMaterial({ size: 7, sizeAttenuation: false, depthTest: false }));
  private colors: Palette;
  private tinted = false;
  private hadMarks = true;
  private scales = { velocity: new Scale(), impulse: new Scale() };

  constructor(drawing: Drawing, canvas: HTMLCanvasElement) {
    super(drawing, canvas);
    this.colors = palette(drawing.background);
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.camera.up.set(0, 0, 1);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.normalBias = 0.02;
    this.scene.add(new AmbientLight(0xffffff, 1.1), this.sun, this.sun.target, this.ground, this.lines, this.dots);
    this.lines.renderOrder = this.dots.renderOrder = 1;
    this.lines.frustumCulled = this.dots.frustumCulled = false;
    this.build();
    this.repaint();
  }

  private build(): void {
    const { bodies } = this.drawing;
    bodies.forEach((body, k) => {
      if (body.shape === "sphere") this.sphereBodies.push(k);
      else if (body.shape === "box") this.boxBodies.push(k);
      else if (body.shape === "hull") this.addHull(k);
      else this.addPlane(k);
    });
    const dynamic = (mesh: InstancedMesh) => {
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      this.scene.add(mesh);
      return mesh;
    };
    if (this.sphereBodies.length > 0) {
      const many = this.sphereBodies.length > 500;
      const ball = new MeshLambertMaterial({ map: ballTexture() });
      this.spheres = dynamic(new InstancedMesh(new SphereGeometry(1, many ? 20 : 40, many ? 14 : 28), ball, this.sphereBodies.length));
    }
    for (const hull of this.hulls.values()) hull.mesh = dynamic(new InstancedMesh(this.hullGeometry(hull.bodies[0]!), new MeshLambertMaterial(), hull.bodies.length));
    if (this.boxBodies.length > 0) {
      this.boxes = dynamic(new InstancedMesh(new BoxGeometry(1, 1, 1), new MeshLambertMaterial(), this.boxBodies.length));
    }
  }

  private addHull(index: number): void {
    const { points, faces: sides } = this.drawing.bodies[index]!;
    const key = JSON.stringify([points, sides]);
    if (!this.hulls.has(key)) this.hulls.set(key, { bodies: [] });
    this.hulls.get(key)!.bodies.push(index);
  }

  private hullGeometry(index: number): BufferGeometry {
    const corners = faces(this.drawing.bodies[index]!).flatMap((face) => face.slice(2).flatMap((corner, k) => [face[0]!, face[k + 1]!, corner]));
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(corners.flat()), 3));
    geometry.computeVertexNormals();
    return geometry;
  }

  private addPlane(index: number): void {
    const group = new Group();
    this.sheets.set(index, group);
    this.ground.add(group);
  }

  /** Half-spaces are shown as far as they matter. */
  private layGround(): void {
    const reach = 8 * this.orbit.extent;
    for (const [index, group] of this.sheets) {
      group.clear();
      const color = this.bodyColor(index);
      const sheet = new Mesh(new PlaneGeometry(2.5 * reach, 2.5 * reach), new MeshLambertMaterial({ color: mix(color, this.colors.paper, 0.82), side: DoubleSide }));
      sheet.receiveShadow = true;
      const power = 10 ** Math.floor(Math.log10(this.orbit.extent));
      const step = [5, 2, 1].find((digit) => digit * power <= this.orbit.extent)! * power * 0.5;
      const count = 2 * Math.floor(reach / step);
      const grid = new GridHelper(count * step, count, mix(color, this.colors.paper, 0.6), mix(color, this.colors.paper, 0.72));
      grid.rotation.x = Math.PI / 2;
      grid.position.z = 1e-3 * this.orbit.extent;
      group.add(sheet, grid);
    }
  }

  private bodyColor(index: number): string {
    const body = this.drawing.bodies[index]!;
    const own = body.shape === "plane" ? this.colors.obstacle : body.fixed ? this.colors.fixedBody : this.colors.series[index % 4]!;
    return readable(body.color ?? own, this.colors);
  }

  repaint(): void {
    this.colors = palette(this.drawing.background);
    const paper = new Color(this.colors.paper);
    this.scene.background = paper;
    this.scene.fog = new Fog(paper, 1, 1000);
    this.tint(undefined);
    this.layGround();
  }

  fit(frame: Answer): void {
    super.fit(frame);
    this.layGround();
  }

  private meshes(): InstancedMesh[] {
    return [this.spheres, this.boxes, ...[...this.hulls.values()].map(({ mesh }) => mesh)].filter((mesh) => mesh !== undefined);
  }

  /** Colours of bodies: their own, or those of their islands. */
  private tint(islands: Float64Array | undefined): void {
    const { series, paper } = this.colors;
    const colorOf = (index: number) => {
      if (!islands) return this.bodyColor(index);
      return islands[index]! < 0 ? mix(this.bodyColor(index), paper, 0.7) : series[islands[index]! % series.length]!;
    };
    this.tinted = islands !== undefined;
    const color = new Color();
    this.sphereBodies.forEach((body, k) => this.spheres!.setColorAt(k, color.set(colorOf(body))));
    this.boxBodies.forEach((body, k) => this.boxes!.setColorAt(k, color.set(colorOf(body))));
    for (const { bodies, mesh } of this.hulls.values()) bodies.forEach((body, k) => mesh!.setColorAt(k, color.set(colorOf(body))));
    for (const mesh of this.meshes()) if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }

  protected sized(width: number, height: number, ratio: number): void {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
  }

  draw(frame: Answer, shown: Shown, selected: Picked, past?: Past): void {
    this.placeBodies(frame);
    // Colours change with islands only; setting thousands of them in every picture is slow.
    if (shown.islands || this.tinted) this.tint(shown.islands ? frame.islands : undefined);
    this.marks(frame, shown, selected, past);
    this.look();
    this.renderer.render(this.scene, this.camera);
  }

  private placeBodies(frame: Answer): void {
    const { bodies } = this.drawing;
    const [matrix, place, rotation, scale] = [new Matrix4(), new Vector3(), new Quaternion(), new Vector3()];
    const read = (body: number) => {
      const { center, q } = pose(frame.positions!, body);
      place.set(...center);
      rotation.set(q[1], q[2], q[3], q[0]);
    };
    this.sphereBodies.forEach((body, k) => {
      read(body);
      this.spheres!.setMatrixAt(k, matrix.compose(place, rotation, scale.setScalar(bodies[body]!.radius)));
    });
    this.boxBodies.forEach((body, k) => {
      read(body);
      this.boxes!.setMatrixAt(k, matrix.compose(place, rotation, scale.set(...bodies[body]!.sides!)));
    });
    for (const { bodies: members, mesh } of this.hulls.values()) {
      members.forEach((body, k) => {
        read(body);
        mesh!.setMatrixAt(k, matrix.compose(place, rotation, scale.setScalar(1)));
      });
    }
    for (const mesh of this.meshes()) mesh.instanceMatrix.needsUpdate = true;
    for (const [body, group] of this.sheets) {
      read(body);
      const normal = new Vector3(...turn(pose(frame.positions!, body).q, unit(bodies[body]!.normal!)));
      // The sheet is laid under what the camera shows, wherever the half-space has its own middle.
      const below = new Vector3(...this.orbit.target).sub(place);
      group.position.copy(place).add(below.addScaledVector(normal, -below.dot(normal)));
      group.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), normal);
    }
  }

  private look(): void {
    const { orbit, sun } = this;
    this.camera.fov = orbit.vertical;
    this.camera.near = Math.max(orbit.distance / 1000, 1e-5);
    this.camera.far = orbit.distance + 40 * orbit.extent;
    this.camera.position.set(...orbit.eye);
    this.camera.lookAt(...orbit.target);
    this.camera.updateProjectionMatrix();
    const fog = this.scene.fog as Fog;
    fog.near = orbit.distance + 3 * orbit.extent;
    fog.far = orbit.distance + 9 * orbit.extent;
    const reach = 2.2 * orbit.extent;
    sun.target.position.set(...orbit.target);
    sun.position.set(...add(orbit.target, times(unit([0.5, -0.35, 1]), 3 * reach)));
    const box = sun.shadow.camera;
    [box.left, box.right, box.bottom, box.top, box.near, box.far] = [-reach, reach, -reach, reach, 0.1 * reach, 8 * reach];
    box.updateProjectionMatrix();
  }

  private marks(frame: Answer, shown: Shown, selected: Picked, past?: Past): void {
    const wanted = shown.velocities || shown.contacts || shown.impulses || shown.cone || shown.trails || shown.center || selected !== null || (this.drawing.springs ?? []).length > 0;
    this.legend = [];
    if (!wanted && !this.hadMarks) return;
    this.hadMarks = wanted;
    const marks = new Marks(this.drawing, this.orbit, this.colors, this.scales);
    marks.take(frame, shown, selected, past);
    this.legend = marks.legend;
    const attribute = (numbers: number[]) => new BufferAttribute(new Float32Array(numbers), 3);
    const tones = new Map([...new Set(marks.tints)].map((color) => [color, new Color(color).toArray()]));
    const tints = marks.tints.flatMap((color) => [...tones.get(color)!, ...tones.get(color)!]);
    this.lines.geometry.dispose();
    this.lines.geometry = new BufferGeometry().setAttribute("position", attribute(marks.places)).setAttribute("color", attribute(tints));
    this.dots.geometry.dispose();
    this.dots.geometry = new BufferGeometry().setAttribute("position", attribute(marks.dots));
    (this.dots.material as PointsMaterial).color.set(this.colors.contact);
  }

  close(): void {
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}

/**
 * Light and less light quarters, so that a rolling ball is seen to roll; the tint of the ball is
 * laid over it.
 */
function ballTexture(): CanvasTexture {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [8, 4];
  const c = canvas.getContext("2d")!;
  for (let k = 0; k < 8; k++) {
    c.fillStyle = k % 2 === 0 ? "#ffffff" : "#cfd3da";
    c.fillRect(k, 0, 1, 4);
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = 1003;
  return texture;
}
