import type { Endpoint } from "../../../src/core/wire/endpoint.ts";
import * as transactional from "../../../src/core/wire/transactional.ts";
import * as v2 from "../../../src/core/wire/v2.ts";
import { ENDPOINTS, type Specified } from "../../support/tables/specification.ts";

/** Operation in the documents: an endpoint, and what the specification says of it. */
export type Operation = Specified & { readonly endpoint: Endpoint; readonly operationId: string };

const toOperations = (wire: Readonly<Record<string, unknown>>): readonly Operation[] =>
  Object.entries<Specified>(ENDPOINTS)
    .filter(([name]) => name in wire)
    .map(([name, specified]) => ({
      ...specified,
      endpoint: wire[name] as Endpoint,
      operationId: name,
    }));

export const v2Operations = toOperations(v2);
export const transactionalOperations = toOperations(transactional);
