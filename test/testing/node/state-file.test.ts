import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { followState, readStateFile } from "../../../src/testing/node/state-file.ts";
import { createFake, rcsOf, rcsText } from "../../support/fakes/fake-service.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "state-file-"));
  path = join(folder, "state.json");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const never = (error: unknown) => {
  throw error;
};
const read = async () => JSON.parse(await readFile(path, "utf8"));

describe("a state file", () => {
  test("a state file is written at once, and only its user can read it", async () => {
    const service = createFake();
    const file = await followState(service, path, never);
    expect(await read()).toEqual(service.save());
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await file.close();
  });

  test("a state file follows every change, with several changes in one write", async () => {
    const service = createFake();
    const file = await followState(service, path, never);
    service.addList({ name: "VIP" });
    await rcsOf(service).sendRcsText(rcsText);
    await expect.poll(read).toEqual(JSON.parse(JSON.stringify(service.save())));
    expect(await readdir(folder)).toEqual(["state.json"]);
    await file.close();
  });

  test("a state file contains the last change when it is closed, and no later change", async () => {
    const service = createFake();
    const file = await followState(service, path, never);
    service.addList({ name: "Last" });
    await file.close();
    expect((await read()).lists).toHaveLength(1);
    service.addList({ name: "Later" });
    await file.close();
    expect((await read()).lists).toHaveLength(1);
  });

  test("a state file reports a failed write, which is repeated when it is closed", async () => {
    const errors: unknown[] = [];
    const service = createFake();
    const file = await followState(service, path, (error) => errors.push(error));
    await rm(folder, { recursive: true });
    service.addList();
    await expect.poll(() => errors).toMatchObject([{ code: "ENOENT" }]);
    await mkdir(folder);
    await file.close();
    expect((await read()).lists).toHaveLength(1);
  });

  test("a state file replaces the temporary file of a killed command, and does not follow a link in its place", async () => {
    await writeFile(join(folder, "precious"), "precious");
    await symlink(join(folder, "precious"), `${path}.tmp`);
    const file = await followState(createFake(), path, never);
    await file.close();
    expect(await readFile(join(folder, "precious"), "utf8")).toBe("precious");
    expect((await readdir(folder)).toSorted()).toEqual(["precious", "state.json"]);
    await writeFile(`${path}.tmp`, "{ half a st");
    await (await followState(createFake(), path, never)).close();
    expect((await readdir(folder)).toSorted()).toEqual(["precious", "state.json"]);
  });

  test("a state file in a missing folder fails at the start", async () => {
    const missing = join(folder, "missing", "state.json");
    await expect(followState(createFake(), missing, never)).rejects.toMatchObject({
      code: "ENOENT",
    });
  });
});

describe("readStateFile", () => {
  test("readStateFile returns the state that was written", async () => {
    const service = createFake();
    await (await followState(service, path, never)).close();
    expect(readStateFile(path)).toEqual(service.save());
  });

  test("readStateFile returns undefined if there is no file", () => {
    expect(readStateFile(path)).toBeUndefined();
  });

  test("readStateFile throws for a path that cannot be followed, instead of starting over", async () => {
    await symlink(path, path);
    expect(() => readStateFile(path)).toThrow("ELOOP");
  });

  test.each(["", "{ half", "{}", "[]", '{ "version": 0 }'])(
    "readStateFile refuses a file with %j, and names it",
    async (content) => {
      await writeFile(path, content);
      expect(() => readStateFile(path)).toThrow(path);
      expect(() => readStateFile(path)).toThrow(/does not contain the state of a fake service/);
    },
  );
});
