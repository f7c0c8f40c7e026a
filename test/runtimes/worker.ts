// The suite as a worker: settings in a request, results in its response.
import { runSuite } from "./suite/index.ts";

export default {
  fetch: async (request: Request) => Response.json(await runSuite(await request.json())),
};
