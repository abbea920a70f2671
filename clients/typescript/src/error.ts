/** A request that failed: refused by the API, or without any response. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  /** The HTTP status; 0 if there was no response, because of the network or a timeout, or if a stream failed after its start. */
  readonly status: number;
  /** Identifies the request in Parley's logs; undefined if there was no response. */
  readonly requestId: string | undefined;

  constructor(message: string, details: { status: number; requestId?: string | undefined; cause?: unknown }) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.requestId = details.requestId;
  }
}

/** The error of a response that is no success. Its message is the API's own, which names the field, scope or resource. */
export async function errorOf(response: Response): Promise<ParleyError> {
  const text = await response.text();
  const requestId = response.headers.get('x-request-id') ?? undefined;
  return new ParleyError(messageIn(text) ?? `The server answered with status ${response.status}.`, {
    status: response.status,
    requestId,
  });
}

/** Undefined for what a proxy sent instead of the API. */
function messageIn(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text);
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
