import { readFileSync, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { parseJson } from "../../core/wire/encodings.ts";
import { type FakeState, isSavedState } from "../fake/saved-state.ts";
import type { FakeService } from "../fake-service.ts";

/** Time in milliseconds for which changes are collected before they are written. */
const WRITE_DELAY_MS = 200;

/** @throws TypeError when the file does not contain a state of this version. */
export const readStateFile = (path: string): FakeState | undefined => {
  if (!statSync(path, { throwIfNoEntry: false })) return undefined;
  const state = parseJson(readFileSync(path, "utf8"));
  if (isSavedState(state)) return state;
  throw new TypeError(
    `${path} does not contain the state of a fake service of this version. Name a new file, or a file that this version wrote`,
  );
};

/** Writes a file atomically, so readers find either the old or the new content, even after a crash. */
const writeAtomically = async (path: string, content: string): Promise<void> => {
  const temporary = `${path}.tmp`;
  try {
    // A command that was killed may have left its temporary file.
    await rm(temporary, { force: true });
    // Only the user may read it, because it contains phone numbers, texts and API keys. A link of this name is not followed.
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
};

/** Writes the state of a service to a file now, and again after every change. */
export const followState = async (
  service: FakeService,
  path: string,
  onError: (error: unknown) => void,
) => {
  const write = () => writeAtomically(path, JSON.stringify(service.save()));
  await write();
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isPending = false;
  const flush = (): Promise<void> => {
    timer = undefined;
    isPending = false;
    writing = writing.then(write).catch((error) => {
      isPending = true;
      onError(error);
    });
    return writing;
  };
  const unsubscribe = service.subscribe(({ type }) => {
    if (type !== "message" && type !== "state") return;
    isPending = true;
    timer ??= setTimeout(flush, WRITE_DELAY_MS);
  });
  return {
    /** Writes pending changes, including changes that could not be written before, and stops following. */
    close: async (): Promise<void> => {
      unsubscribe();
      clearTimeout(timer);
      await writing;
      if (isPending) await flush();
    },
  };
};
