// Apart from what uses them, so that the entry points for msw and Node load nothing else of the fake.

/** Origin of version 2. */
export const V2_ORIGIN = "https://v2.messaging.test";
/** Origin of the transactional API. */
export const TRANSACTIONAL_ORIGIN = "https://rcs.messaging.test";
/** Origin of the files of finished reports. */
export const FILES_ORIGIN = "https://files.messaging.test";
