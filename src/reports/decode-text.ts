import { fileError } from "./download-errors.ts";

/** Byte order marks. A mark decides, whatever charset is declared (Encoding Standard, "decode"). */
const MARKS: readonly (readonly [charset: string, ...mark: number[]])[] = [
  ["utf-8", 0xef, 0xbb, 0xbf],
  ["utf-32be", 0, 0, 0xfe, 0xff],
  ["utf-32le", 0xff, 0xfe, 0, 0],
  ["utf-16be", 0xfe, 0xff],
  ["utf-16le", 0xff, 0xfe],
];
const LONGEST_MARK = 4;

/** Maximum length of a charset in an error. */
const NAMED_LENGTH = 40;

/** Charset of a file, and how it is called in an error. */
interface Charset {
  readonly label: string;
  readonly name: string;
}

/** Returns the charset that a content type declares; without one, UTF-8. */
const declaredCharset = (contentType: string | null): Charset => {
  const label = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? "")?.[1];
  if (label === undefined) return { label: "utf-8", name: "UTF-8 (its host declares no charset)" };
  const named = label.replace(/[^\w.:+-]/g, "").slice(0, NAMED_LENGTH);
  return { label, name: `the charset "${named}" that its host declares` };
};

/** Returns the charset of the byte order mark with which a file begins. */
const markedCharset = (start: Uint8Array): Charset | undefined => {
  const found = MARKS.find(([, ...mark]) => mark.every((byte, index) => start[index] === byte));
  return found && { label: found[0], name: `the charset "${found[0]}" of its byte order mark` };
};

const textError = (problem: string) => fileError(`the file cannot be read as text: ${problem}`);

/** Creates the decoder of a charset. It throws at bytes that are not of the charset, instead of replacing them by U+FFFD. */
const toDecoder = ({ label, name }: Charset): TextDecoder => {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    // The constructor throws for nothing else.
    throw textError(`this runtime cannot decode ${name}`);
  }
};

/** Yields the chunks of a body. The first one includes a whole mark, unless the body is shorter. */
async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let start: Uint8Array | undefined = new Uint8Array();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const chunk: Uint8Array = start?.length ? new Uint8Array([...start, ...value]) : value;
    start = start && chunk.length < LONGEST_MARK ? chunk : undefined;
    if (!start) yield chunk;
  }
  if (start) yield start;
}

/**
 * Yields the text of a body as it arrives, decoded by its byte order mark, by the charset that its content type declares, or as
 * UTF-8. Leaving the loop early ends the download.
 *
 * @throws {@link ResponseValidationError} if the runtime cannot decode the charset, or bytes are not of it.
 */
export async function* decodeText(
  body: ReadableStream<Uint8Array>,
  contentType: string | null,
): AsyncGenerator<string> {
  const reader = body.getReader();
  let charset = declaredCharset(contentType);
  let decoded = 0;
  try {
    let decoder = toDecoder(charset);
    const decode = (bytes: Uint8Array, stream: boolean): string => {
      try {
        return decoder.decode(bytes, { stream });
      } catch {
        // A fatal decoder throws for nothing else.
        const range = `not all bytes from ${decoded} to ${decoded + bytes.length} are`;
        throw textError(`${stream ? range : "it ends inside a character"} of ${charset.name}`);
      }
    };
    for await (const bytes of chunksOf(reader)) {
      const marked = decoded === 0 ? markedCharset(bytes) : undefined;
      if (marked) {
        charset = marked;
        decoder = toDecoder(charset);
      }
      yield decode(bytes, true);
      decoded += bytes.length;
    }
    yield decode(new Uint8Array(), false);
  } finally {
    // If the body failed, its error has been thrown already.
    await reader.cancel().catch(() => {});
  }
}
