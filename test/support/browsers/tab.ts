/** Keys that tests press. */
export type Key = "Tab" | "Enter" | "Escape";

/** A browser page that tests drive. */
export interface Tab {
  /** Loads a page. */
  open(url: string): Promise<void>;
  /** Runs a function in the page. It can use only its argument. The argument and the result are passed as JSON. */
  evaluate<A, R>(run: (argument: A) => R, argument: A): Promise<Awaited<R>>;
  /** Presses and releases a key. */
  press(key: Key): Promise<void>;
  /** Returns everything that the page has logged, and its errors. */
  log(): Promise<readonly string[]>;
  /** Ends the browser. */
  close(): Promise<void>;
}

/** Runs in a page. Records what the page logs from now on, its errors, and violations of its policy. */
export const watch = (): void => {
  const lines: string[] = [];
  Object.assign(globalThis, { lines });
  const keep = (...values: readonly unknown[]) => {
    const shown = values.map((value) =>
      value instanceof Error ? `${value}\n${value.stack}` : `${value} ${JSON.stringify(value)}`,
    );
    lines.push(shown.join(" "));
  };
  for (const name of ["debug", "log", "info", "warn", "error"] as const) console[name] = keep;
  addEventListener("error", ({ message }) => keep(message));
  addEventListener("unhandledrejection", ({ reason }) => keep(reason));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    keep(`policy: ${violatedDirective} ${blockedURI}`),
  );
};

/** Returns everything that `watch` has recorded in the page. */
export const logOf = (tab: Tab): Promise<readonly string[]> =>
  tab.evaluate(() => (globalThis as unknown as { lines: readonly string[] }).lines, null);
