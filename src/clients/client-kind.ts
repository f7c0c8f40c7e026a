/** Key of a client's kind; the same in the ESM and the CommonJS copy. */
export const CLIENT_KIND: unique symbol = /* @__PURE__ */ Symbol.for(
  "messaging-service-client.client",
);
