// Which scene an address means, and its text.
import { EMPTY_SCENE } from "./empty";
import { title } from "./gallery";
import { find } from "./local";
import { unpack } from "./share";

export async function sceneOf(params: URLSearchParams): Promise<{ text: string; name: string }> {
  const load = async (path: string) => {
    const response = await fetch(new URL(path, document.baseURI));
    if (response.status === 404) throw new Error("there is no such scene here");
    if (!response.ok) throw new Error(`${path}: ${response.status} ${response.statusText}`);
    return response.text();
  };
  const scene = params.get("scene");
  if (scene !== null) {
    if (!/^[\w-]+$/.test(scene)) throw new Error("no such scene");
    return { text: await load(`scenes/${scene}.xml`), name: title(scene) };
  }
  const packed = params.get("s");
  if (packed !== null) return { text: await unpack(packed), name: title(params.get("name") ?? "A shared scene") };
  const local = params.get("local");
  if (local !== null) return { text: find(Number(local)), name: title(params.get("name") ?? "A scene") };
  if (params.has("given")) return { text: await load("given/scene.xml"), name: "The given scene" };
  return { text: EMPTY_SCENE, name: "A new scene" };
}
