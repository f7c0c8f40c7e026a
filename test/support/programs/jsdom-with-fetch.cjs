// jsdom under Jest with Node's `fetch` added, as many applications have it. Its `AbortController` is still jsdom's.
const { TestEnvironment } = require(process.env.JEST_JSDOM);

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, { fetch, Headers, Request, Response });
  }
};
