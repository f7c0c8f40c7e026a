import { parseOptions } from "./fake/checks.ts";
import { readRequest, TRANSACTIONAL_ORIGIN, toResponse, V2_ORIGIN } from "./fake/exchange.ts";
import { saveState } from "./fake/saved-state.ts";
import {
  accountMethods,
  clockMethods,
  failureMethods,
  listenerMethods,
  listMethods,
  phoneMethods,
  recordMethods,
  reportMethods,
} from "./fake-methods.ts";
import {
  assertServiceOptions,
  type FakeService,
  type FakeServiceOptions,
  resetSchema,
} from "./fake-service.ts";
import { RunningFake } from "./running-fake.ts";
import { waitForMessage } from "./wait-for-message.ts";

type Joined<Groups extends readonly object[]> = Groups extends readonly [
  infer First,
  ...infer Rest extends readonly object[],
]
  ? First & Joined<Rest>
  : unknown;

/** Joins groups of methods into one object. A spread would read their getters once. */
const join = <Groups extends readonly object[]>(...groups: Groups): Joined<Groups> => {
  const descriptors = groups.map(Object.getOwnPropertyDescriptors);
  return Object.defineProperties({}, Object.assign({}, ...descriptors)) as Joined<Groups>;
};

/**
 * Creates a fake of the whole service in memory: accounts, lists, subscribers, opt-in, scheduled messages, reports and
 * sends. Use it for tests and for development without a network.
 *
 * @throws TypeError that names a malformed or unknown option.
 * @example
 * const service = createFakeService();
 * const v2 = new V2Client(service.v2Options);
 * const rcs = new TransactionalClient(service.transactionalOptions);
 */
export function createFakeService(options: FakeServiceOptions = {}): FakeService {
  assertServiceOptions(options);
  const { state, setUp } = options;
  const fake = new RunningFake(options);
  const service: FakeService = join(
    accountMethods(fake),
    recordMethods(fake),
    listMethods(fake),
    reportMethods(fake),
    phoneMethods(fake),
    clockMethods(fake),
    failureMethods(fake),
    listenerMethods(fake),
    {
      v2BaseUrl: V2_ORIGIN,
      transactionalBaseUrl: TRANSACTIONAL_ORIGIN,
      get v2Options() {
        const { account, v2BaseUrl: baseUrl, fetch } = service;
        return { baseUrl, email: account.email, apiKey: account.apiKey, fetch };
      },
      get transactionalOptions() {
        const { account, transactionalBaseUrl: baseUrl, fetch } = service;
        return { baseUrl, apiKey: account.apiKey, fetch };
      },
      fetch: async (input, init) => {
        const request = new Request(input, init);
        request.signal.throwIfAborted();
        // The caller's own signal: the request's copy of it may be garbage-collected.
        const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
        return toResponse(service.handle(await readRequest(request)), signal ?? request.signal);
      },
      handle: (request) => fake.responder.handle(request),
      waitForMessage: (message, waitOptions) => waitForMessage(service, message, waitOptions),
      reset: (resetOptions = {}) => {
        const { empty } = parseOptions("reset", resetSchema, resetOptions, "options");
        fake.change(() => {
          fake.restart();
          if (!empty) setUp?.(service);
        });
      },
      save: () => saveState(fake.worldNow),
    } satisfies Partial<FakeService>,
  );
  if (state === undefined) setUp?.(service);
  return service;
}
