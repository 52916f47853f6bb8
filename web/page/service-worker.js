// Caches the page, so that it works offline.

importScripts("files.js");

/** The cache of one version of the page. */
const CACHE = `millstone-${self.VERSION}`;

addEventListener("install", (event) => {
  // The browser's HTTP cache may hold an older version.
  const files = self.FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files)));
});

addEventListener("activate", (event) => {
  const others = caches.keys().then((names) => names.filter((name) => name.startsWith("millstone-") && name !== CACHE));
  event.waitUntil(others.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(registration.scope) && !request.headers.has("Range")) {
    event.respondWith(answer(request));
  }
});

/** A file from the cache, otherwise from the network; fetched files are cached too. */
async function answer(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) return kept;
  const reply = await fetch(request);
  if (reply.ok) await cache.put(request, reply.clone());
  return reply;
}
