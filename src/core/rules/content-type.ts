import type { ValidationIssue } from "../errors.ts";
import { quoteName } from "../quote.ts";
import type { Problem } from "./problem.ts";

/** Content types that a file may have. */
export const allowedContentTypes = /* @__PURE__ */ Object.freeze([
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
] as const);

/** Maximum size of a file in bytes: 100 MB, interpreted as 100 × 1024 × 1024. */
export const maxFileBytes = 104_857_600;

/** Maximum length of a URL whose extension is checked, in UTF-16 units. A longer URL is rejected for its length. */
const MAX_URL_UNITS = 1024;

/** Returns a content type in lower case, without its parameters. */
const mediaType = (contentType: string): string =>
  (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();

/**
 * Returns whether a file of this content type can be sent. Case and parameters are ignored.
 *
 * @param contentType Content type. Anything but a string, such as the `null` of a missing header, returns `false`.
 * @example
 * isAllowedContentType("image/PNG; charset=binary"); // true
 * isAllowedContentType(response.headers.get("content-type"));
 */
export function isAllowedContentType(contentType: string): boolean;
/** Returns whether a value is the content type of a file that can be sent. */
export function isAllowedContentType(contentType: unknown): contentType is string;
// A string is not narrowed, because TypeScript would treat a string that is not allowed as `never`.
export function isAllowedContentType(contentType: unknown): boolean {
  return (
    typeof contentType === "string" &&
    (allowedContentTypes as readonly string[]).includes(mediaType(contentType))
  );
}

const notAllowed = (why: string): Problem => ({
  code: "custom",
  message: `must be of an allowed content type (${allowedContentTypes.join(", ")}): ${why}`,
});

/** Yields the problems of a content type, as the caller or the host states it. */
export function* contentTypeProblems(contentType: unknown): Generator<Problem> {
  if (typeof contentType !== "string") {
    yield { code: "invalid_type", type: "string", message: "must be a string" };
  } else if (!isAllowedContentType(contentType)) {
    const quoted = mediaType(contentType)
      .slice(0, 80)
      .replace(/[\p{C}\p{M}\s]/gu, "");
    yield notAllowed(`${quoteName(quoted) || "an empty one"} is not`);
  }
}

/** Yields the problems of a file whose host states its content type and perhaps its size. */
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
    message: `must lead to a file of at most ${maxFileBytes} bytes, but this file has ${file.size}`,
  };
}

/**
 * Extensions of types that are certainly not allowed. The list does not include aliases and containers of allowed types (`.jfif`,
 * `.3gp`, `.ogv`), or extensions that do not show what a host serves (`.php`, `.bin`).
 */
const REFUSED_EXTENSIONS =
  // archives and programs
  "7z apk arj bat bz bz2 cab cmd deb dll dmg exe gz iso jar lha lz4 lzh lzma msi msix pkg rar rpm sit tar tbz2 tgz " +
  "txz war wasm xpi xz zip zst " +
  // images
  "avif avifs bmp cr2 cur dds dib djv djvu dng emf eps exr heic heics heif heifs icns ico j2k jng jp2 jpf jpg2 jpm jpx jxl jxr " +
  "mng nef pbm pcx pgm pnm ppm ps psb psd qoi svg svgz tga tif tiff wbmp wdp webp wmf xbm xcf xpm xwd " +
  // audio
  "aif aifc aiff amr ape au caf dts flac kar m3u m3u8 mid midi mka pls ra ram rmi snd wav wave wax wma wv " +
  // video
  "asf asx avi divx flv h261 h264 h265 hevc m2t m2ts mk3d mkv mov mts mxf qt rm rmvb swf ts vob wmv wvx " +
  // documents
  "azw azw3 csv doc docm docx dot dotm dotx eml epub fb2 htm html ics ifb key latex log markdown md mht mhtml mobi msg " +
  "numbers odg odp ods odt otf ott oxps pages pot potx pps ppsx ppt pptm pptx pub rtf rtx shtml tex text tsv txt vcard " +
  "vcf vsd vsdx wpd wps xht xhtml xls xlsb xlsm xlsx xltx xps " +
  // data, sources, styles, fonts
  "atom cjs css db eot geojson gltf gpx ini ipynb js json jsonld kml kmz mjs rdf rss sass scss sh sql sqlite srt toml " +
  "torrent ttc ttf ttml vtt webmanifest woff woff2 xml xsd xsl xslt yaml yml " +
  // drawings and models
  "3ds 3mf blend dae dwg dxf fbx glb obj step stl stp usdz " +
  // certificates
  "cer crt der p12 pem pfx pkpass";

/** Returns whether a lowercase extension belongs to a content type that is certainly not allowed. */
export const isRefusedExtension = (extension: string): boolean =>
  REFUSED_EXTENSIONS.split(" ").includes(extension);

/** Yields the problem of a file URL whose extension belongs to a disallowed content type. */
export function* fileExtensionProblems(url: unknown): Generator<Problem> {
  if (typeof url !== "string" || url.length > MAX_URL_UNITS || !URL.canParse(url)) return;
  const extension = /\.(\w+)$/.exec(new URL(url).pathname)?.[1]?.toLowerCase();
  if (extension === undefined || !isRefusedExtension(extension)) return;
  yield notAllowed(
    `a .${extension} file is not; pass the option \`contentType\` if the host serves an allowed type`,
  );
}

/** Yields the problems with the type of a message's file. Checks its content type if that is known, otherwise its extension. */
export function* fileTypeProblems(
  message: unknown,
  contentType: unknown,
): Generator<ValidationIssue> {
  const isKnown = contentType !== undefined;
  const path = isKnown ? ["contentType"] : ["rcsPayload", "file", "url"];
  const { url } = Object(Object(Object(message).rcsPayload).file);
  for (const problem of isKnown ? contentTypeProblems(contentType) : fileExtensionProblems(url)) {
    yield { ...problem, path };
  }
}
