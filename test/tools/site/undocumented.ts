/**
 * Module that typedoc must refuse, which `site.full.test.ts` checks.
 * @module undocumented
 */
export const undocumented = 1;
