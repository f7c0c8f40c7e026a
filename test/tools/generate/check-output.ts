import { execFile } from "node:child_process";
import { addSampleData } from "../../../src/command/fake/fake-command.ts";
import { createFakeService } from "../../../src/testing/create-fake-service.ts";
import { listen } from "../../../src/testing/node/listen.ts";

const CLI = new URL("../../../src/command/cli.ts", import.meta.url).pathname;

/** Returns the output of `check` for the fake service with the sample data, and a wrong key for the transactional API. */
export const checkOutput = async (): Promise<string> => {
  const service = createFakeService({ setUp: addSampleData });
  const server = await listen(service);
  const { email, apiKey } = service.account;
  const args = ["check", "--base-url", server.v2BaseUrl, "--email", email, "--api-key", apiKey];
  const rcs = ["--transactional-base-url", server.transactionalBaseUrl];
  const key = ["--transactional-api-key", "another-key"];
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [CLI, ...args, ...rcs, ...key], (_, stdout) => resolve(stdout));
  });
  await server.close();
  // Times differ in each run.
  return `\`\`\`text\n${output.replaceAll(/ +\d+ ms/g, ({ length }) => "42 ms".padStart(length)).trimEnd()}\n\`\`\``;
};
