export const PANELS = ["conversations", "lists", "faults", "requests", "webhooks"] as const;

export type Panel = (typeof PANELS)[number];

/** The open part of the page; it is stored in the fragment of the URL. */
export interface Route {
  readonly panel: Panel;
  /** Phone whose conversation is open, in E.164. */
  readonly phone: string | undefined;
}

/** Reads a fragment such as `#/conversations/+12065550123`. */
export const parseRoute = (fragment: string): Route => {
  const [, panel = "", phone = ""] = fragment.split("/");
  return {
    panel: PANELS.find((known) => known === panel) ?? "conversations",
    phone: /^\+\d{5,15}$/.test(phone) ? phone : undefined,
  };
};

export const toFragment = (panel: Panel, phone?: string): string =>
  phone === undefined ? `#/${panel}` : `#/${panel}/${phone}`;
