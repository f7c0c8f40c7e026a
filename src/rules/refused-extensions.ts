/**
 * Extensions of well-known types that are certainly not allowed.
 *
 * The list leaves out other names and containers of allowed types (`.jfif`, `.3gp`, `.ogv`), and extensions that do not
 * show what a host serves (`.php`, `.bin`).
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

/** Returns whether an extension, in lower case, stands for a content type that is certainly not allowed. */
export const isRefusedExtension = (extension: string): boolean =>
  REFUSED_EXTENSIONS.split(" ").includes(extension);
