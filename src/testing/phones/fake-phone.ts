import type { OptInState } from "../opt-in/opt-in-transitions.ts";
import type { StoredList } from "../resources/stored-list.ts";
import type { FakeWorld } from "../world.ts";

/** Opt-in of a phone on a list. */
export interface PhoneOptIn {
  /** Id of the list. */
  readonly list_id: number;
  /** State of the opt-in. */
  readonly state: OptInState;
  /** Index of the step that waits for a reply, starting at 0; present while `state` is `asked`. */
  readonly step?: number;
  /** Time at which that step was asked, ISO 8601; present while `state` is `asked`. */
  readonly askedAt?: string;
  /** Time at which its reminder will be sent, ISO 8601; absent when none will be. */
  readonly reminderAt?: string;
}

/** Phone that the fake service knows from a message, a list or a setting. */
export interface FakePhone {
  /** Phone number in E.164. */
  readonly phoneNumber: string;
  /** Whether RCS messages reach the phone. */
  readonly rcsReachable: boolean;
  /** Whether SMS messages reach the phone. */
  readonly smsReachable: boolean;
  /** Time of the latest message to or from the phone, ISO 8601; `null` when there was none. */
  readonly latestMessageAt: string | null;
  /** Lists that the phone subscribed to or is being asked about. */
  readonly optIns: readonly PhoneOptIn[];
}

const toTimestamp = (epochMs: number): string => new Date(epochMs).toISOString();

const toOptIn = ({ machine }: FakeWorld, list: StoredList, phone: string): PhoneOptIn => {
  const conversation = machine.conversations.get(list, phone);
  const reminderAtMs = conversation?.reminderAtMs;
  return {
    list_id: list.resource.id,
    state: machine.stateOf(list, phone),
    ...(conversation && {
      step: conversation.stepIndex,
      askedAt: toTimestamp(conversation.askedAtMs),
    }),
    ...(reminderAtMs !== undefined && { reminderAt: toTimestamp(reminderAtMs) }),
  };
};

/** Returns every phone that a world knows, sorted by latest message, newest first. */
export const phonesOf = (world: FakeWorld): FakePhone[] => {
  const { store, outbox, machine } = world;
  const latest = new Map<string, string | null>();
  const optIns = new Map<string, PhoneOptIn[]>();
  for (const message of outbox.conversations) {
    const phone = message.direction === "sent" ? message.to : message.from;
    // Moves the phone to the end, which becomes the front when the order is reversed.
    latest.delete(phone);
    latest.set(phone, message.at);
  }
  const others = [...outbox.withoutRcs, ...outbox.withoutSms];
  for (const list of store.lists.values()) {
    const phones = new Set([...list.subscribers.keys(), ...machine.conversations.phonesOf(list)]);
    others.push(...phones);
    for (const phone of phones) {
      optIns.set(phone, [...(optIns.get(phone) ?? []), toOptIn(world, list, phone)]);
    }
  }
  const phones = [...[...latest].reverse(), ...others.map((phone) => [phone, null] as const)];
  const known = new Map<string, string | null>();
  for (const [phone, at] of phones) if (!known.has(phone)) known.set(phone, at);
  return [...known].map(([phoneNumber, latestMessageAt]) => ({
    phoneNumber,
    rcsReachable: !outbox.withoutRcs.has(phoneNumber),
    smsReachable: !outbox.withoutSms.has(phoneNumber),
    latestMessageAt,
    optIns: optIns.get(phoneNumber) ?? [],
  }));
};
