// The search of the site, as the browser runs it.
import lunr, { type Index } from "lunr";
import type { Section } from "./search.ts";

declare global {
  /** The sections that can be found, defined in the same file as this code. */
  var sections: readonly Section[];
}

/** Weight of the words of a heading and of its page relative to the words below it. */
const TITLE_BOOST = 10;
const PAGE_BOOST = 4;
/** Weight of a word that only starts with a searched word. */
const PREFIX_BOOST = 0.2;
const MOST_RESULTS = 10;

/** Path of the site's root from a page. */
const BASE = document.documentElement.dataset.base?.replace(/\/?$/, "/");

lunr.tokenizer.separator = /[^\p{L}\p{N}_]+/u;

let index: Index | undefined;
const build = (): Index =>
  lunr(function () {
    this.ref("id");
    this.field("title", { boost: TITLE_BOOST });
    this.field("page", { boost: PAGE_BOOST });
    this.field("text");
    for (const [id, { title, page, keywords, text, weight }] of globalThis.sections.entries()) {
      this.add({ id, title: `${title} ${keywords}`, page, text }, { boost: weight });
    }
  });

/** Returns the searched words that are not stop words, or all words if there are only stop words. */
const wordsOf = (query: string): readonly string[] => {
  const words = query.toLowerCase().split(lunr.tokenizer.separator).filter(Boolean);
  const telling = words.filter((word) => lunr.stopWordFilter(new lunr.Token(word, {})));
  return telling.length > 0 ? telling : words;
};

/** Returns the sections that contain most of the searched words, best first. */
const search = (query: string): readonly Section[] => {
  index ??= build();
  const words = wordsOf(query);
  const stems = words.map((word) => lunr.stemmer(new lunr.Token(word, {})).toString());
  const found = index.query((clauses) => {
    for (const [position, word] of words.entries()) {
      clauses.term(word, {});
      const wildcard = lunr.Query.wildcard.TRAILING;
      clauses.term(stems[position] ?? word, { boost: PREFIX_BOOST, wildcard });
    }
  });
  return found
    .map(({ ref, score, matchData }) => {
      const terms = Object.keys(matchData.metadata);
      const matched = stems.filter((stem) => terms.some((term) => term.startsWith(stem)));
      return { ref, score: score * (matched.length / stems.length) ** 2 };
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_RESULTS)
    .flatMap(({ ref }) => globalThis.sections[Number(ref)] ?? []);
};

const elementOf = (name: string, className: string, ...children: (Node | string)[]) => {
  const element = document.createElement(name);
  element.className = className;
  element.append(...children);
  return element;
};

const toItem = ({ url, title, page }: Section, position: number): HTMLElement => {
  const parent = page === title ? [] : [elementOf("span", "parent", `${page} › `)];
  const link = elementOf("a", "", elementOf("span", "text", ...parent, title));
  link.setAttribute("href", `${BASE}${url}`);
  link.tabIndex = -1;
  const item = elementOf("li", "", link);
  item.id = `search-result-${position}`;
  item.role = "option";
  item.ariaSelected = "false";
  return item;
};

const start = (): void => {
  const input = document.querySelector<HTMLInputElement>("#tsd-search-input");
  const results = document.querySelector("#tsd-search-results");
  const status = document.querySelector("#tsd-search-status");
  const show = (): void => {
    const query = input?.value.trim() ?? "";
    const found = query === "" ? [] : search(query);
    results?.replaceChildren(...found.map(toItem));
    const isMissing = query !== "" && found.length === 0;
    status?.replaceChildren(
      isMissing ? elementOf("div", "", `No results found for “${query}”`) : "",
    );
  };
  input?.addEventListener("input", show);
  show();
};

// The script may arrive before the rest of the page.
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
