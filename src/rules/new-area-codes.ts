/**
 * Area codes in service that the metadata of libphonenumber lacks, as of November 2026. A comment says where the area code is,
 * which one it overlays, since when its numbers may be assigned, and who announced it.
 *
 * A test fails as soon as the metadata has one of them: then remove it here.
 */
export const newAreaCodes: readonly string[] = [
  "357", // California, with 559: 2025-03-26, California Public Utilities Commission
  "436", // Ohio, with 440: 2024-03-01, Public Utilities Commission of Ohio
  "457", // Louisiana, with 318: 2025-09-25, Louisiana Public Service Commission
  "471", // Mississippi, with 662: 2026-01-30, North American Numbering Plan Administrator
  "483", // Alabama, with 334: 2026-02-23, Alabama Public Service Commission
  "565", // Georgia, with 912: announced 2025-06-10, Georgia Public Service Commission
  "624", // New York, with 716: 2023-09-11, New York State Department of Public Service
  "679", // Michigan, with 313: 2025-11-07, Michigan Public Service Commission
  "729", // Tennessee, with 423: 2025-09-05, Tennessee Public Utility Commission
  "837", // California, with 530: 2025-01-31, North American Numbering Plan Administrator
  "861", // Illinois, with 309: 2023-02-24, North American Numbering Plan Administrator
  "924", // Minnesota, with 507: 2024-08-30, Minnesota Public Utilities Commission
];
