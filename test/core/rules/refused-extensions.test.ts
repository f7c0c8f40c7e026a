import { beforeAll, describe, expect, test } from "vitest";
import { isAllowedContentType, isRefusedExtension } from "../../../src/core/rules/content-type.ts";
import { requireFixture } from "../../support/fixture.ts";

/** The fields of mime-db that the test uses. mime-db lists content types of IANA, Apache and nginx with their extensions. */
type MimeDb = Readonly<
  Record<string, { readonly source?: string; readonly extensions?: readonly string[] }>
>;

/** Content types of each extension in mime-db. */
let typesByExtension: ReadonlyMap<string, readonly string[]>;
beforeAll(() => {
  const db: MimeDb = requireFixture("first-ring", "mime-db");
  const types = new Map<string, string[]>();
  for (const [type, { extensions = [] }] of Object.entries(db)) {
    for (const extension of extensions) {
      types.set(extension, [...(types.get(extension) ?? []), type]);
    }
  }
  typesByExtension = types;
});

/** Types of individual vendors, which common programs do not produce. */
const VENDORS = /^\w+\/(?:vnd\.|x-|prs\.)/;
/** Aliases and containers of allowed types. */
const KIN = "3g2 3gp apng jfif m4s ogv weba".split(" ");
/** Registered types that are too obscure to list. */
const OBSCURE = (
  "adp avci avcs cgm dpx drle fits g3 hej2 ief jaii jais jhc jls jpgm jpgv jph jxra jxrs jxs jxsc jxsi jxss ktx ktx2 " +
  "mj2 mjp2 mxmf s3m sgi sil t38 tfx xm"
).split(" ");

describe("refused extensions", () => {
  test("no refused extension has an allowed type in the tables of IANA, Apache and nginx", () => {
    expect(typesByExtension.size).toBeGreaterThan(1_000);
    const wrong = [...typesByExtension].filter(
      ([extension, types]) => isRefusedExtension(extension) && types.some(isAllowedContentType),
    );
    expect(wrong).toEqual([]);
  });

  test("refused extensions include every registered image, audio, video and font type except obscure ones", () => {
    const passed = [...typesByExtension]
      .filter(([extension, types]) => {
        const isMedia = types.some((type) => /^(?:image|audio|video|font)\//.test(type));
        const isVendors = types.every((type) => VENDORS.test(type));
        return (
          isMedia &&
          !isVendors &&
          !types.some(isAllowedContentType) &&
          !isRefusedExtension(extension)
        );
      })
      .map(([extension]) => extension);
    expect(passed.sort()).toEqual([...KIN, ...OBSCURE].sort());
  });
});
