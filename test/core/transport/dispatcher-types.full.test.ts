// The objects of undici 6, 7 and 8 that `fetchFrom` accepts, at compile time and at run time.
import { expect, test } from "vitest";
import { compileBlocks } from "../../docs/compile-blocks.ts";
import { UNDICI } from "../../support/dispatchers.ts";

/** Code that must compile, with the types of one version. */
const codeFor = (major: number) => `
import { fetchFrom, TransactionalClient } from "messaging-service-client";
import * as undici from "../fixtures/first-ring/node_modules/undici-${major}/index.js";

const agent = new undici.Agent({ connections: 64, allowH2: true });
const dispatchers = [
  agent,
  new undici.Pool("https://rcs.example.com"),
  new undici.BalancedPool("https://rcs.example.com"),
  new undici.Client("https://rcs.example.com"),
  new undici.ProxyAgent("http://proxy.example.com:3128"),
  new undici.EnvHttpProxyAgent(),
  new undici.MockAgent(),
  undici.getGlobalDispatcher(),
  agent.compose(undici.interceptors.redirect({ maxRedirections: 1 })),
] as const;
for (const dispatcher of dispatchers) {
  const checked: Parameters<typeof fetchFrom>[0] = dispatcher;
  new TransactionalClient({ fetch: fetchFrom(checked) });
}
// Were these types any, the next line would be no error.
// @ts-expect-error
const notAny: never = dispatchers[0];
// @ts-expect-error
fetchFrom({ request: () => {} });
// @ts-expect-error
fetchFrom(globalThis.fetch);
`;

test("the dispatchers of undici 6, 7 and 8 fit fetchFrom by their types", () => {
  const names = UNDICI.map(({ major }) => [`undici-${major}.ts`, codeFor(major)] as const);
  const problems = compileBlocks(new Map(names));
  expect([...problems.values()]).toEqual([[], [], []]);
}, 120_000);
