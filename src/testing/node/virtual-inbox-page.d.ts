/** The bundled page; the build generates this module. */
declare module "virtual:inbox-page" {
  /** Content of each file by its name. */
  export const files: Readonly<Record<string, string>>;
}
