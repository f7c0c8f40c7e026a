import type { ValidationIssue } from "../errors.ts";
import type { EndpointInput } from "./endpoint.ts";

/** Returns the issue of a page that is not the one requested, unless the list ends before that one. */
export const anotherPage = (
  { page, pages_count }: { readonly page: number; readonly pages_count: number },
  { query }: EndpointInput,
): ValidationIssue | undefined => {
  const asked = Number((query as { page?: unknown } | undefined)?.page ?? 1);
  if (page === asked || pages_count < asked) return undefined;
  return { code: "custom", path: ["page"], message: `must be ${asked}, the requested page` };
};
