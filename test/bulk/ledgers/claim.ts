/** A claim; each test changes the fields that matter to it. */
export const claim = {
  id: "i",
  batch: "b",
  key: "k",
  digest: "d",
  ref: "r",
  owner: "o",
  at: "2026-11-21T09:00:00.000Z",
};
