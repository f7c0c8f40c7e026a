/** The bundled page; the build makes this module. */
declare module "virtual:inbox-page" {
  /** The text of each file by its name. */
  export const files: Readonly<Record<string, string>>;
}
