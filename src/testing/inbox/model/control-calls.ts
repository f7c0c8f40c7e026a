import type {
  FakePhone,
  FaultInput,
  FieldProblem,
  MessageView,
  RecordedRequest,
  StateView,
  Webhook,
} from "../../control/schemas.ts";

class ControlApiError extends Error {
  readonly problems: readonly FieldProblem[];

  constructor(message: string, problems: readonly FieldProblem[] = []) {
    super(message);
    this.problems = problems.length > 0 ? problems : [{ path: [], message }];
  }
}

const call = async <Result>(method: string, path: string, body?: unknown): Promise<Result> => {
  const response = await fetch(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  }).catch(() => {
    throw new ControlApiError("The fake service cannot be reached. Is it still running?");
  });
  const text = await response.text();
  const json = text === "" ? undefined : JSON.parse(text);
  if (!response.ok)
    throw new ControlApiError(json?.error ?? `HTTP ${response.status}`, json?.errors);
  return json as Result;
};

export const problemsOf = async (
  attempt: () => Promise<unknown>,
): Promise<readonly FieldProblem[]> => {
  try {
    await attempt();
    return [];
  } catch (error) {
    if (error instanceof ControlApiError) return error.problems;
    throw error;
  }
};

/** The calls of the control API that the page uses. Paths are relative to the page. */
export const api = {
  state: () => call<StateView>("GET", "state"),
  messages: () => call<MessageView[]>("GET", "messages"),
  requests: () => call<RecordedRequest[]>("GET", "requests"),
  webhooks: () => call<Webhook[]>("GET", "webhooks"),
  sendText: (from: string, text: string) => call("POST", "texts", { from, text }),
  advance: (duration: object) => call("POST", "clock", duration),
  arm: (fault: FaultInput) => call("POST", "faults", fault),
  disarm: (id?: number) => call("DELETE", id === undefined ? "faults" : `faults/${id}`),
  setPhone: (phone: string, reachable: Partial<FakePhone>) =>
    call<FakePhone>("PUT", `phones/${encodeURIComponent(phone)}`, reachable),
};
