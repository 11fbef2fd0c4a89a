// The page in a frame of the notebook: it comes whole from the kernel, so no network is needed.

async function unpacked(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

async function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.title = "Carom";
  frame.allow = "fullscreen";
  Object.assign(frame.style, { width: "100%", border: "0", borderRadius: "6px", height: `${model.get("height")}px` });
  el.append(frame);
  const page = await unpacked(model.get("_page"));

  // The page is the frame's own text: policies of notebooks may forbid frames from blobs.
  const open = () => {
    const search = `?embed=1&controls=${encodeURIComponent(model.get("controls"))}`;
    const fragment = `s=${model.get("_packed")}${model.get("autoplay") ? "" : "&still"}`;
    const words = `globalThis.caromSearch = ${JSON.stringify(search)}; location.hash = ${JSON.stringify(fragment)};`;
    frame.srcdoc = page.replace("<!--asked-->", () => `<script>${words.replaceAll("<", "\\u003c")}</script>`);
  };

  let known = "";
  const hear = ({ source, data }) => {
    if (source !== frame.contentWindow || typeof data !== "object" || data === null) return;
    if (!["ready", "state", "refused"].includes(data.carom)) return;
    if (data.carom === "refused") {
      model.set("refused", String(data.why));
    } else {
      const { name, playing, step, time, dt, planned, positions, knobs, trouble } = data;
      const state = { name, playing, step, time, dt, planned, positions, knobs, trouble };
      // Only changes are sent to the kernel.
      const words = JSON.stringify(state);
      if (words === known) return;
      known = words;
      model.set("state", state);
    }
    model.save_changes();
  };

  const wish = (words) => frame.contentWindow?.postMessage(words, "*");
  // Hands may start it, place bodies and turn knobs: it is asked all the time.
  const ask = setInterval(() => wish({ carom: "state" }), 500);
  const resize = () => (frame.style.height = `${model.get("height")}px`);

  addEventListener("message", hear);
  model.on("change:_packed", open);
  model.on("change:controls", open);
  model.on("change:height", resize);
  model.on("msg:custom", wish);
  open();
  return () => {
    clearInterval(ask);
    removeEventListener("message", hear);
  };
}

export default { render };
