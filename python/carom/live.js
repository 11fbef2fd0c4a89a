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
  let address;

  const open = () => {
    const search = `?embed=1&controls=${encodeURIComponent(model.get("controls"))}`;
    const asked = `<script>globalThis.caromSearch = ${JSON.stringify(search).replaceAll("<", "\\u003c")};</script>`;
    if (address) URL.revokeObjectURL(address);
    address = URL.createObjectURL(new Blob([page.replace("<!--asked-->", () => asked)], { type: "text/html" }));
    frame.src = `${address}#s=${model.get("_packed")}${model.get("autoplay") ? "" : "&still"}`;
  };

  const hear = ({ source, data }) => {
    if (source !== frame.contentWindow || typeof data !== "object" || data === null) return;
    if (!["ready", "state", "refused"].includes(data.carom)) return;
    if (data.carom === "refused") {
      model.set("refused", String(data.why));
    } else {
      const { name, playing, step, time, dt, planned, positions, knobs, trouble } = data;
      model.set("state", { name, playing, step, time, dt, planned, positions, knobs, trouble });
    }
    model.save_changes();
  };

  let last = "";
  const wish = (words) => frame.contentWindow?.postMessage(words, "*");
  const ask = setInterval(() => {
    // asked again only while something may have changed
    const { step, playing } = model.get("state") ?? {};
    const now = `${step} ${playing}`;
    if (playing || now !== last) wish({ carom: "state" });
    last = now;
  }, 500);
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
    if (address) URL.revokeObjectURL(address);
  };
}

export default { render };
