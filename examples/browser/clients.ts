// Creates the clients of the page of `npm run example browser`.
import { TransactionalClient, V2Client } from "messaging-service-client";

// The page's server says which server to call: itself. These credentials are placeholders, and the server replaces them
// with the real ones. A page that holds a key gives it to everybody.
const settings = await fetch("settings.json");
const { baseUrl, email, apiKey } = await settings.json();

export const v2 = new V2Client({ baseUrl, email, apiKey });
export const rcs = new TransactionalClient({ baseUrl, apiKey });

export const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
export const valueIn = (id: string) => element<HTMLInputElement>(id).value;
