// Exposes the suite to a page, which calls it.
import { runSuite } from "./suite/index.ts";

Object.assign(globalThis, { runSuite });
