// The page: an editor, the matches of a query, and one game.

import { render } from "preact";

import { App } from "./app";
import { askToken } from "./token";
import { ServerEngine } from "./engine/server";
import { WorkerEngine } from "./engine/worker";

// The playground has the same files; its document names the other engine.
const isPlayground = document.documentElement.dataset.engine === "worker";
const engine = isPlayground ? new WorkerEngine() : new ServerEngine(askToken);
// A page from a disk has no service worker, and needs no network.
if (isPlayground && "serviceWorker" in navigator) navigator.serviceWorker.register("service.js").catch(() => {});
const root = document.getElementById("app")!;
root.textContent = "";
render(<App engine={engine} />, root);
