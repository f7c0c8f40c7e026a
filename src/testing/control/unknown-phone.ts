import type { PhoneView } from "./views.ts";

/** Returns a phone with the defaults of one that the fake does not know. */
export const unknownPhone = (phoneNumber: string): PhoneView => ({
  phoneNumber,
  rcsReachable: true,
  smsReachable: true,
  latestMessageAt: null,
  optIns: [],
});
