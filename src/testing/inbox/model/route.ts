import { useEffect, useState } from "preact/hooks";

export const PANELS = ["conversations", "lists", "faults", "requests", "webhooks"] as const;

export type PanelName = (typeof PANELS)[number];

/** The open part of the page; it is stored in the fragment of the URL. */
export interface Route {
  readonly panel: PanelName;
  /** Phone number whose conversation is open, in E.164. */
  readonly phone: string | undefined;
}

const parseRoute = (fragment: string): Route => {
  const [, panel = "", phone = ""] = fragment.split("/");
  return {
    panel: PANELS.find((known) => known === panel) ?? "conversations",
    phone: /^\+\d{5,15}$/.test(phone) ? phone : undefined,
  };
};

export const toFragment = (panel: PanelName, phone?: string): string =>
  phone === undefined ? `#/${panel}` : `#/${panel}/${phone}`;

/** Returns the open part of the page, which follows the fragment of the URL. */
export const useRoute = (): Route => {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const follow = () => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
};
