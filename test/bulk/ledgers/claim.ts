/** A claim whose fields a test can override. */
export const claim = {
  id: "i",
  batch: "b",
  key: "k",
  digest: "d",
  ref: "r",
  owner: "o",
};
