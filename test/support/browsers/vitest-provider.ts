// Lets vitest run tests in a browser that it does not support.
import { playwright } from "@vitest/browser-playwright";
import type { BrowserProviderOption } from "vitest/node";
import type { Tab } from "./tab.ts";

/** Returns vitest's provider for a browser. It opens vitest's page, which runs the tests. */
export const drivenBy = (launch: () => Promise<Tab>): BrowserProviderOption => ({
  name: "driven",
  options: {},
  // The server of vitest's pages is the same for every provider.
  serverFactory: playwright().serverFactory,
  providerFactory: ({ browser }) => {
    const tab = launch();
    // vitest sets a viewport before each file. Any size will do.
    browser?.registerCommand("__vitest_viewport" as never, () => undefined as never);
    return {
      name: "driven",
      supportsParallelism: false,
      getCommandsContext: () => ({}),
      openPage: async (_, url) => (await tab).open(url),
      close: async () => (await tab).close(),
    };
  },
});
