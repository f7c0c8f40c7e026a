// Runs before each test file. The files of a worker share its globals, so leftover fake timers would stop the next file.
import { afterAll, vi } from "vitest";
import { REFUSED_URL } from "./servers/loopback.ts";

afterAll(() => void vi.useRealTimers());
// undici creates the timer of all its limits for its first connection. If time was fake then, that timer would never fire.
await fetch(REFUSED_URL).catch(() => {});
