// Runs before each test file. The files of a worker share its globals: fake timers that one leaves would stop the next.
import { afterAll, vi } from "vitest";

afterAll(() => void vi.useRealTimers());
