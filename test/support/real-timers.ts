// Runs before each test file. The files of a worker share its globals: fake timers that one leaves would stop the next.
import { afterAll, vi } from "vitest";
import { REFUSED_URL } from "./servers/loopback.ts";

afterAll(() => void vi.useRealTimers());
// undici makes the timer of all its limits for its first connection. If time was fake then, that timer would stand still for good.
await fetch(REFUSED_URL).catch(() => {});
