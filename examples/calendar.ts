// Shows the scheduled messages of the next seven days as a calendar: `node calendar.ts`.
import { styleText } from "node:util";
import { type ScheduledMessage, V2Client } from "messaging-service-client";

const DAY_MS = 86_400_000;
const WIDTH = 16;

// The service reads days in UTC.
const today = new Date();
const days = Array.from({ length: 7 }, (_, day) => new Date(today.getTime() + day * DAY_MS));
const dayOf = (moment: Date | string) => new Date(moment).toISOString().slice(0, 10);
const [first, last] = [days.at(0), days.at(-1)];

const v2 = new V2Client();
const calendar = new Map(days.map((day) => [dayOf(day), [] as ScheduledMessage[]]));
let messages = 0;

// Each list takes a separate call. The throttle keeps the calls within 1200 an hour.
for await (const list of v2.lists.list({ include_deleted: false })) {
  for await (const message of v2.scheduledMessages.list(list.id, {
    start_date: first,
    end_date: last,
  })) {
    calendar.get(dayOf(message.sent_at))?.push(message);
    messages += 1;
  }
}

const cell = (text: string) => text.slice(0, WIDTH - 1).padEnd(WIDTH);
const heading = days.map((day) =>
  cell(day.toLocaleDateString("en-US", { weekday: "short", day: "numeric", timeZone: "UTC" })),
);
console.log(styleText("bold", heading.join("")));

const columns = [...calendar.values()].map((column) =>
  column.toSorted((one, other) => one.sent_at.localeCompare(other.sent_at)),
);
const height = Math.max(...columns.map((column) => column.length));
for (let row = 0; row < height; row += 1) {
  const line = columns.map((column) => column[row]);
  console.log(line.map((message) => cell(message?.sent_at.slice(11, 16) ?? "")).join(""));
  console.log(line.map((message) => cell(message?.name ?? message?.content ?? "")).join(""));
  console.log(line.map((message) => cell(message ? `to ${message.recipient_count}` : "")).join(""));
  console.log();
}
console.log(`${messages} scheduled messages (times are UTC)`);
