// The service worker of the playground: a page that was open once opens without a network.

const scope = self as unknown as ServiceWorkerGlobalScope;
const CACHE = "babson-playground";
/** What the page needs; the fetches of the first visit were made before this worker was there. */
const FILES = ["./", "page.js", "page.css", "worker.js", "icon.svg", "report.js", "report.css", "babson_wasm.js",
  "babson_wasm_bg.wasm", "masters-2k.pgn"];

async function fill(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all(FILES.map(async (name) => {
    const response = await fetch(name);
    if (response.ok) await cache.put(name, response);
  }));
}

/** The newest file if there is a network, and otherwise the last one that was seen. */
async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const known = await cache.match(request, { ignoreSearch: true });
    if (known) return known;
    throw error;
  }
}

scope.addEventListener("install", (event) => event.waitUntil(fill().then(() => scope.skipWaiting())));
scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && new URL(url).origin === scope.location.origin) event.respondWith(answer(event.request));
});
