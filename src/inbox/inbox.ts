// The entry point of the page.

import { followService } from "./model/live.ts";
import { parseRoute, Store } from "./model/model.ts";
import { createShell } from "./shell.ts";

const store = new Store(parseRoute(location.hash));
const shell = createShell(store);
document.querySelector("#app")?.replaceWith(shell.element);
store.onChange((model) => shell.update(model));
shell.update(store.model);
addEventListener("hashchange", () => store.set({ route: parseRoute(location.hash) }));
followService(store);
