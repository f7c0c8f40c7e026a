/**
 * Module that typedoc must refuse, which `site.test.ts` checks.
 * @module undocumented
 */
export const undocumented = 1;
