// SDKs of other services as contenders. They are not dependencies: `npm install stripe @octokit/core openai resend` in any folder.
import { resolve } from "node:path";
import { importFrom } from "../../support/fixture.ts";
import { type Contender, countPages, message, SEND_PATH } from "./contenders.ts";

type Method = (...args: unknown[]) => Promise<unknown>;
/** Methods of the SDKs that request any path. Each SDK has some of them. */
type Sdk = Readonly<Record<"get" | "post" | "rawRequest" | "request", Method>>;
/** Creates an SDK with its defaults. */
type Create = (...args: unknown[]) => Sdk;

/** Requests the JSON of any path. */
interface Requests {
  readonly get: (path: string) => unknown;
  readonly post: (path: string, body: object) => unknown;
}

const dataOf = async (response: Promise<unknown>) =>
  ((await response) as { readonly data: unknown }).data;

interface Peer {
  readonly packageName: string;
  readonly exported: string;
  readonly connect: (create: Create, baseUrl: string) => Requests;
}

const PEERS: readonly Peer[] = [
  {
    packageName: "stripe",
    exported: "Stripe",
    connect: (create, baseUrl) => {
      const { hostname: host, port } = new URL(baseUrl);
      const stripe = create("key", { host, port, protocol: "http" });
      return {
        get: (path) => stripe.rawRequest("GET", path),
        post: (path, body) => stripe.rawRequest("POST", path, body),
      };
    },
  },
  {
    packageName: "@octokit/core",
    exported: "Octokit",
    connect: (create, baseUrl) => {
      const octokit = create({ auth: "key", baseUrl });
      const request = (route: string, input?: object) => dataOf(octokit.request(route, input));
      return {
        get: (path) => request(`GET ${path}`),
        post: (path, body) => request(`POST ${path}`, body),
      };
    },
  },
  {
    packageName: "openai",
    exported: "OpenAI",
    connect: (create, baseURL) => {
      const openai = create({ apiKey: "key", baseURL });
      return {
        get: (path) => openai.get(path),
        post: (path, body) => openai.post(path, { body }),
      };
    },
  },
  {
    packageName: "resend",
    exported: "Resend",
    connect: (create, baseUrl) => {
      const resend = create("key", { baseUrl });
      return {
        get: (path) => dataOf(resend.get(path)),
        post: (path, body) => dataOf(resend.post(path, body)),
      };
    },
  },
];

/** Loads the SDKs that are installed in a folder. */
export const loadPeers = (folder: string): Promise<readonly Contender[]> =>
  Promise.all(
    PEERS.map(async ({ packageName, exported, connect }) => {
      const module = await importFrom<Record<string, new (...args: unknown[]) => Sdk>>(
        resolve(folder),
        packageName,
      );
      const SdkClass = module[exported] ?? module.default;
      if (!SdkClass) throw new Error(`${packageName} does not export ${exported}`);
      const make = (baseUrl: string) => {
        const { get, post } = connect((...args) => new SdkClass(...args), baseUrl);
        return {
          account: async () => get("/api/v2/accounts/me"),
          send: async () => post(SEND_PATH, message),
          countLists: (perPage: number) =>
            countPages(async (page) => get(`/api/v2/lists?page=${page}&per_page=${perPage}`)),
        };
      };
      return { name: packageName, make };
    }),
  );
