// WebKit, as the MiniBrowser of WebKitGTK on a virtual screen, driven over WebDriver.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { newPort } from "../servers/new-port.ts";
import { logOf, type Tab, watch } from "./tab.ts";

const DRIVER = "/usr/bin/WebKitWebDriver";
const SCREEN = "/usr/bin/Xvfb";

/** WebDriver's code points for keys. */
const KEYS = { Tab: "\uE004", Enter: "\uE007", Escape: "\uE00C" } as const;

/** Returns what is missing to drive WebKit. */
export const missingForWebKit = (): string | undefined => {
  const missing = [DRIVER, SCREEN].find((path) => !existsSync(path));
  return missing && `${missing} does not exist`;
};

/** Sends a command to the driver, and resolves to its result. */
const command = async <T>(url: string, body?: object): Promise<T> => {
  const init = { method: body ? "POST" : "DELETE", body: JSON.stringify(body) };
  const { value } = await (await fetch(url, init)).json();
  if (value?.error) throw new Error(`${value.error}: ${value.message}`);
  return value;
};

/** Resolves when the driver accepts commands. */
const untilReady = async (url: string): Promise<void> => {
  for (let tries = 0; tries < 200; tries += 1) {
    const response = await fetch(`${url}/status`).catch(() => undefined);
    if (response?.ok) return;
    await wait(50);
  }
  throw new Error(`${DRIVER} does not listen`);
};

/** Starts a virtual screen, and resolves to its name. */
const startScreen = async (children: ChildProcess[]): Promise<string> => {
  const screen = spawn(SCREEN, ["-displayfd", "1"], { stdio: ["ignore", "pipe", "ignore"] });
  children.push(screen);
  const [number] = await once(screen.stdout, "data");
  return `:${String(number).trim()}`;
};

export const launchWebKit = async (): Promise<Tab> => {
  const children: ChildProcess[] = [];
  const end = () => {
    for (const child of children) child.kill();
  };
  process.once("exit", end);
  try {
    const DISPLAY = await startScreen(children);
    const port = await newPort();
    const env = {
      ...process.env,
      DISPLAY,
      // The sandbox of WebKitGTK starts neither in a container nor as root.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
      // Collects garbage continuously. Otherwise, an object that is collected too early would make a test fail only sometimes.
      JSC_collectContinuously: "1",
    };
    children.push(spawn(DRIVER, [`--port=${port}`], { env, stdio: "ignore" }));
    const driver = `http://127.0.0.1:${port}`;
    await untilReady(driver);
    const capabilities = { alwaysMatch: { timeouts: { script: 270_000 } } };
    const { sessionId } = await command<{ sessionId: string }>(`${driver}/session`, {
      capabilities,
    });
    const session = `${driver}/session/${sessionId}`;
    const tab: Tab = {
      async open(url) {
        await command(`${session}/url`, { url });
        // The driver can run no code earlier, and does not report the log.
        await tab.evaluate(watch, null);
      },
      async evaluate(run, argument) {
        const script = `const [argument, end] = arguments;
(async () => (${run})(argument))().then((value) => end({ value }), (error) => end({ error: String(error) }));`;
        const args = [argument];
        const { value, error } = await command<{ value: never; error?: string }>(
          `${session}/execute/async`,
          { script, args },
        );
        if (error !== undefined) throw new Error(error);
        return value;
      },
      async press(key) {
        const actions = ["keyDown", "keyUp"].map((type) => ({ type, value: KEYS[key] }));
        await command(`${session}/actions`, { actions: [{ type: "key", id: "keys", actions }] });
      },
      log: () => logOf(tab),
      async close() {
        await command(session).finally(end);
      },
    };
    return tab;
  } catch (error) {
    end();
    throw error;
  }
};
