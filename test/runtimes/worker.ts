// Runs the suite as a worker. The request contains the settings, and the response contains the results.
import { runSuite } from "./suite/index.ts";

export default {
  fetch: async (request: Request) => Response.json(await runSuite(await request.json())),
};
