// A link that holds a whole scene: deflated, in the part of the address that is never sent to a
// server.

export async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (let k = 0; k < bytes.length; k += 8192) binary += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Most characters that a link may unpack to: a small link must not fill the memory. */
const MOST = 32 << 20;

/** What is said about a link that does not hold a scene. */
const DAMAGED = "this link is damaged or was cut off. Ask for it once more, and copy it whole";

export async function unpack(word: string): Promise<string> {
  try {
    return await unpacked(word);
  } catch (error) {
    throw error instanceof TooLarge ? error : new Error(DAMAGED);
  }
}

class TooLarge extends Error {}

async function unpacked(word: string): Promise<string> {
  const binary = atob(word.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let total = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    total += value.length;
    if (total > MOST) {
      await reader.cancel();
      throw new TooLarge("the scene in this link is too large");
    }
    parts.push(value as Uint8Array<ArrayBuffer>);
  }
  return new Blob(parts).text();
}
