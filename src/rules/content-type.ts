import type { Problem } from "./problem.ts";

/** The content types that a file may have (specification: "Limits"). */
export const allowedContentTypes = [
  "image/jpeg",
  "image/jpg",
  "image/gif",
  "image/png",
  "audio/aac",
  "audio/mp3",
  "audio/mpeg",
  "audio/mpg",
  "audio/mp4",
  "audio/mp4-latm",
  "audio/3gpp",
  "application/ogg",
  "audio/ogg",
  "video/h263",
  "video/m4v",
  "video/mp4",
  "video/mpeg",
  "video/mpeg4",
  "video/webm",
  "application/pdf",
] as const;

/** The largest file, in bytes: 100 MB, read as 100 × 1024 × 1024 (specification: "Limits"). */
export const maxFileBytes = 104_857_600;

/** Extensions whose content type is well known and not allowed. */
const REFUSED_EXTENSIONS =
  "7z apk avi avif bat bmp bz2 css csv dmg doc docx eml epub exe flac flv gz heic heif ico ics iso jar js json " +
  "mid midi mkv mov msi odp ods odt ppt pptx psd rar rtf sh svg tar tgz tif tiff ttf txt vcf wav webp wma wmv " +
  "woff woff2 xls xlsx xml yaml yml zip";

const mediaType = (contentType: string): string =>
  (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();

/**
 * Whether a file of this content type can be sent; case and parameters do not count.
 *
 * @example
 * isAllowedContentType("image/PNG; charset=binary"); // true
 */
export function isAllowedContentType(contentType: string): boolean {
  return (allowedContentTypes as readonly string[]).includes(mediaType(contentType));
}

const notAllowed = (why: string): Problem => ({
  code: "custom",
  message: `must be of an allowed content type (${allowedContentTypes.join(", ")}): ${why}`,
});

/** What is wrong with a content type that the caller or the host tells. */
export function* contentTypeProblems(contentType: unknown): Generator<Problem> {
  if (typeof contentType !== "string") {
    yield { code: "invalid_type", type: "string", message: "must be a string" };
  } else if (!isAllowedContentType(contentType)) {
    yield notAllowed(`${mediaType(contentType).slice(0, 80) || "an empty one"} is not`);
  }
}

/** What is wrong with a file of which its host tells this. */
export function* hostedFileProblems(file: {
  readonly contentType: string;
  readonly size?: number | undefined;
}): Generator<Problem> {
  yield* contentTypeProblems(file.contentType);
  if (file.size === undefined || file.size <= maxFileBytes) return;
  yield {
    code: "too_big",
    type: "number",
    maximum: maxFileBytes,
    inclusive: true,
    exact: false,
    message: `must lead to a file of at most ${maxFileBytes} bytes: this one has ${file.size}`,
  };
}

/** What is wrong with a file, as far as the extension in its URL tells. */
export function* fileExtensionProblems(url: unknown): Generator<Problem> {
  if (typeof url !== "string" || !URL.canParse(url)) return;
  const extension = /\.(\w+)$/.exec(new URL(url).pathname)?.[1]?.toLowerCase();
  if (extension === undefined || !REFUSED_EXTENSIONS.split(" ").includes(extension)) return;
  yield notAllowed(
    `a .${extension} file is not; pass \`contentType\` if the host serves it as one that is`,
  );
}
