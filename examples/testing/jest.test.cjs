const { V2Client } = require("messaging-service-client");
const { createFakeService } = require("messaging-service-client/testing");

test("a keyword subscribes a phone", async () => {
  const service = createFakeService({ now: () => new Date("2027-01-01T00:00:00Z") });
  const v2 = new V2Client(service.v2Options);
  const list = service.addList({ keyword_names: ["VIP"], first_optin_message: "Welcome!" });

  const [reply] = service.receiveText({ from: "206-555-0123", text: "vip" });

  expect(reply).toMatchObject({ text: "Welcome!", at: "2027-01-01T00:00:00.000Z" });
  expect((await v2.lists.retrieve(list.id)).counts.subscribers).toBe(1);
});
