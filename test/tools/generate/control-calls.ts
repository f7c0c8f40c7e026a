import { makeControlDocument } from "../openapi/control-document.ts";
import { toTable } from "../write-report.ts";

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: {
      readonly "application/json": {
        readonly schema: {
          readonly properties?: Readonly<Record<string, unknown>>;
          readonly required?: readonly string[];
        };
      };
    };
  };
}

/** Maximum number of fields of a body that the table lists. The OpenAPI document lists all of them. */
const MAX_FIELDS = 11;

const queryOf = ({ parameters = [] }: Operation): string => {
  const names = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  return names.length > 0 ? `?${names.map((name) => `${name}=`).join("&")}` : "";
};

const bodyOf = ({ requestBody }: Operation): string => {
  if (!requestBody) return "";
  const { properties = {}, required = [] } = requestBody.content["application/json"].schema;
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const isShort = required.length + optional.length <= MAX_FIELDS;
  const fields = [...required, ...(isShort ? optional.map((name) => `${name}?`) : ["…"])];
  return ` \`{ ${fields.join(", ")} }\``;
};

/** Returns the effect of a call, or the method of the fake with the same effect. */
const effectOf = ({ summary }: Operation): string =>
  /like (`.+`)/.exec(summary)?.[1] ?? summary.replace(/\.$/, "");

/** Returns the table of the calls of the control API, from its OpenAPI document. */
export const controlCalls = (): string => {
  const { paths } = makeControlDocument().document as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => [
      `\`${method.toUpperCase()} /__fake${path}${queryOf(operation)}\`${bodyOf(operation)}`,
      effectOf(operation),
    ]),
  );
  return toTable([["call", "method of the fake, or effect"], ...rows]);
};
