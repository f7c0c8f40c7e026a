/**
 * Module that typedoc must refuse: `site.test.ts` checks that it does.
 *
 * @module undocumented
 */
export const undocumented = 1;
