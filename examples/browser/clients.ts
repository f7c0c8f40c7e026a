// Creates the clients for the page that `node browser/server.ts` serves.
import { TransactionalClient, V2Client } from "messaging-service-client";

// The clients call the server of this page. These credentials are placeholders, because everyone can read a key in a page.
// The server replaces them with the real credentials.
const settings = await fetch("settings.json");
const { baseUrl, email, apiKey } = await settings.json();

export const v2 = new V2Client({ baseUrl, email, apiKey });
export const rcs = new TransactionalClient({ baseUrl, apiKey });

export const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
export const valueIn = (id: string) => element<HTMLInputElement>(id).value;
