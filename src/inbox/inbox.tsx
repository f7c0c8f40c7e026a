// The entry point of the page.

import { render } from "preact";
import { App } from "./app.tsx";

const root = document.querySelector("#app");
if (root) {
  root.textContent = "";
  render(<App />, root);
}
