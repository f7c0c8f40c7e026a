/** A claim whose fields a test can override. */
export const claim = {
  id: "i",
  batch: "b",
  key: "k",
  digest: "d",
  ref: "r",
  owner: "o",
  at: "2026-11-21T09:00:00.000Z",
};
