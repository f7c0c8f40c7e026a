// Runs the suite as a worker, with the settings in a request and the results in its response.
import { runSuite } from "./suite/index.ts";

export default {
  fetch: async (request: Request) => Response.json(await runSuite(await request.json())),
};
