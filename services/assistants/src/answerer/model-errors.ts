/** The model's server is away or busy: worth trying again. */
export class ModelUnavailable extends Error {
  override name = 'ModelUnavailable';
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Prompt and answer do not fit into the model's context. */
export class PromptTooLong extends Error {
  override name = 'PromptTooLong';
  constructor() {
    super('The question is too long for the model (OPENAI_MODEL).');
  }
}

/** The server does not take a request of this kind. */
export class RequestRejected extends Error {
  override name = 'RequestRejected';
}
