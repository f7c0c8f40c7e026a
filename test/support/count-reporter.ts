import type { Reporter, TestModule } from "vitest/node";

/** Prints a last line with the count of all tests, and names each test that was skipped or failed. */
export default class CountReporter implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly { readonly message?: string }[],
  ): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A hook that fails, such as `beforeAll`, skips the tests of its suite.
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const broken = suites.filter((suite) => suite.errors().length > 0);
    const failures = [
      ...broken.map((suite) => (suite.type === "module" ? suite.relativeModuleId : suite.fullName)),
      ...tests.filter((test) => test.result().state === "failed").map((test) => test.fullName),
      ...errors.map(({ message }) => `an error outside of all tests: ${message}`),
    ];
    for (const test of tests) {
      if (test.result().state === "skipped") console.log(`SKIPPED: ${test.fullName}`);
    }
    // Runs after the summaries of the other reporters.
    process.once("exit", () => {
      for (const name of failures) console.log(`FAILED: ${name}`);
      console.log(`${count("passed")} passed, ${failures.length} failed`);
    });
  }
}
