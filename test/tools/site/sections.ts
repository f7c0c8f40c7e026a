/** Section of the sidebar with the entry points. */
export const REFERENCE = "Reference";

/** Sections of the sidebar and their pages, in the order of the sidebar. */
export const SECTIONS: readonly (readonly [title: string, pages: readonly string[]])[] = [
  [
    "Start",
    [
      "docs/guides/getting-started.md",
      "docs/guides/check.md",
      "docs/guides/quickstarts.md",
      "docs/guides/examples.md",
      "docs/guarantees.md",
      "docs/agents.md",
    ],
  ],
  [
    "Guides",
    [
      "docs/guides/sending-rcs.md",
      "docs/guides/send-many.md",
      "docs/guides/spreadsheets.md",
      "docs/guides/operate-durable-sends.md",
      "docs/guides/only-the-right-people.md",
      "docs/guides/queues.md",
      "docs/guides/databases.md",
      "docs/guides/web-services.md",
      "docs/guides/errors.md",
      "docs/guides/error-messages.md",
      "docs/guides/lists-and-pages.md",
      "docs/guides/opt-in-settings.md",
      "docs/guides/reports.md",
      "docs/guides/throttle-and-retries.md",
      "docs/guides/tracing-and-privacy.md",
      "docs/guides/proxies-tls-and-throughput.md",
      "docs/guides/browsers-and-workers.md",
      "docs/guides/from-another-client.md",
      "docs/runtimes.md",
    ],
  ],
  [
    "Testing",
    [
      "docs/testing.md",
      "docs/test-runners.md",
      "docs/fake-command.md",
      "docs/control-api.md",
      "docs/fake-inventions.md",
    ],
  ],
  [REFERENCE, ["docs/options.md", "docs/glossary.md"]],
  [
    "About the project",
    [
      "docs/reliability.md",
      "docs/proofs.md",
      "docs/SECURITY.md",
      "docs/performance.md",
      "docs/decisions.md",
      "CHANGELOG.md",
      "docs/CONTRIBUTING.md",
      "docs/releasing.md",
    ],
  ],
];

const ORDER = SECTIONS.flatMap(([, pages]) => pages);

/** Returns the section of a page. */
export const sectionOf = (path: string): string => {
  const [title] = SECTIONS.find(([, pages]) => pages.includes(path)) ?? [];
  if (title === undefined) throw new Error(`${path} is in no section of the site`);
  return title;
};

/** Returns the position of a page in the sidebar. */
export const rankOf = (path: string): number => ORDER.indexOf(path);
