/**
 * A module of which `site.test.ts` expects that typedoc refuses it.
 *
 * @module undocumented
 */
export const undocumented = 1;
