// Installs the packages that examples use next to the examples, as a person does in an application.
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { installFixture } from "./fixture.ts";

const LINK = new URL("../../examples/node_modules", import.meta.url).pathname;

/** Installs the packages of the examples if necessary, and returns their folder. */
export const installExamplePackages = (): string => {
  const modules = join(installFixture("examples"), "node_modules");
  try {
    symlinkSync(modules, LINK, "junction");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return modules;
};
