// What the SDK looks at in a web-standard Request. Making a real one costs as much as a small call.

export interface HttpRequest {
  readonly method: string;
  readonly headers: {
    /** Names in any case; null where there is none. */
    get(name: string): string | null;
  };
  /** Aborted when the client hangs up. */
  readonly signal?: AbortSignal | undefined;
}

/** Bodies are always passed beside it, parsed, so that the SDK never asks for one. */
export function asRequest(request: HttpRequest): globalThis.Request {
  return request as globalThis.Request;
}
