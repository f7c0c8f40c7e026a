import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { addSampleData } from "../../../src/command/fake/fake-command.ts";
import { FAKE } from "../../../src/command/fake/fake-flags.ts";
import { createFake } from "../../support/fakes/fake-service.ts";

const page = readFileSync(new URL("../../../docs/fake-command.md", import.meta.url), "utf8");

describe("sample data of the fake command", () => {
  const service = createFake({ setUp: addSampleData });
  const [counted] = service.lists.filter(({ counts }) => counts.subscribers > 0);
  const parts = [
    ...service.lists.map(({ name, keyword_names: [keyword], opt_in_type }) => [
      name,
      `keyword ${keyword}`,
      `${opt_in_type} opt-in`,
    ]),
    [`${counted?.counts.subscribers} subscribers`, "scheduled message"],
    ["report"],
  ].flat();

  test("the sample data is two lists with keywords, phones, a scheduled message and a report", () => {
    expect(service.lists.map(({ keyword_names }) => keyword_names)).toEqual([["VIP"], ["NEWS"]]);
    expect(service.phones).toHaveLength(3);
    expect(service.lists.flatMap(({ id }) => service.scheduledMessagesOf(id))).toHaveLength(1);
    expect(service.reports).toHaveLength(1);
  });

  test.each([
    ["--help", FAKE.notes],
    ["docs/fake-command.md", page],
  ])("%s names every part of the sample data, and --empty", (_, text) => {
    const words = text.replaceAll(/\s+/g, " ");
    for (const part of [...parts, "--empty"]) expect(words).toContain(part);
  });
});
