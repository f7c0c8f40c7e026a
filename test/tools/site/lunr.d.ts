/** The part of lunr that the search of the site uses. It comes with typedoc, without types. */
declare module "lunr" {
  type Fields = Readonly<Record<string, string | number>>;
  interface Builder {
    ref(field: string): void;
    field(name: string, options?: { readonly boost: number }): void;
    add(document: Fields, options: { readonly boost: number }): void;
  }
  interface Query {
    term(words: string, options: { readonly boost?: number; readonly wildcard?: number }): void;
  }
  interface Result {
    readonly ref: string;
    readonly score: number;
    readonly matchData: { readonly metadata: Readonly<Record<string, unknown>> };
  }
  export interface Index {
    query(fill: (query: Query) => void): Result[];
  }
  interface Lunr {
    (fill: (this: Builder) => void): Index;
    readonly tokenizer: { separator: RegExp };
    readonly Query: { readonly wildcard: { readonly TRAILING: number } };
    stemmer(token: { toString(): string }): { toString(): string };
    stopWordFilter(token: { toString(): string }): unknown;
    readonly Token: new (text: string, metadata: object) => { toString(): string };
  }
  const lunr: Lunr;
  export default lunr;
}
