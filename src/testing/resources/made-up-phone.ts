import { usageError } from "../assert-usage.ts";

const AREA_CODES = [206, 212, 305, 312, 415, 416, 514, 604, 617, 702];
const PHONES_PER_AREA = 9900;

/** Returns the generated phone number at an index: 206-555-0100, 206-555-0101, … */
export const phoneNumberAt = (index: number): string => {
  const areaCode = AREA_CODES[Math.floor(index / PHONES_PER_AREA) % AREA_CODES.length];
  return `+1${areaCode}555${String(100 + (index % PHONES_PER_AREA)).padStart(4, "0")}`;
};

/**
 * Returns a generated phone number that is not taken.
 *
 * @throws TypeError when all generated numbers are taken.
 */
export const madeUpPhone = (taken: ReadonlyMap<string, unknown>): string => {
  const first = taken.size;
  for (let index = first; index < first + AREA_CODES.length * PHONES_PER_AREA; index += 1) {
    const phoneNumber = phoneNumberAt(index);
    if (!taken.has(phoneNumber)) return phoneNumber;
  }
  throw usageError("addSubscriber", "phone_number must be given: all generated numbers are taken");
};
