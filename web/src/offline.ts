// The page without a network: what it is made of is kept in a cache of its version, and older ones
// are thrown away.
declare const __VERSION__: string;
declare const __FILES__: string[];

/** The part of a service worker's world that is used here; the types of pages do not have it. */
interface Worker {
  addEventListener(kind: "install" | "activate", act: (event: { waitUntil(done: Promise<unknown>): void }) => void): void;
  addEventListener(kind: "fetch", act: (event: { request: Request; respondWith(answer: Promise<Response>): void }) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  registration: { scope: string };
}
const worker = self as unknown as Worker;
const CACHE = `carom-${__VERSION__}`;

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(__FILES__)).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith("carom-") && name !== CACHE).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => worker.clients.claim()));
});

/**
 * The network first, so that nothing is ever stale; the cache where there is none. Pictures are
 * kept as they are seen.
 */
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const inside = request.method === "GET" && url.href.startsWith(worker.registration.scope);
  if (!inside || /\/(given\/|engine$)/.test(url.pathname)) return;
  event.respondWith(
    fetch(request).then(
      (answer) => {
        if (answer.ok && /\.(webp|gif)$/.test(url.pathname)) {
          const copy = answer.clone();
          void caches.open(CACHE).then((cache) => cache.put(request, copy));
        }
        return answer;
      },
      async (error) => {
        const known = await caches.match(request, { ignoreSearch: true });
        if (known) return known;
        if (request.mode === "navigate") return (await caches.match("./", { ignoreSearch: true })) ?? Promise.reject(error);
        throw error;
      },
    ),
  );
});
