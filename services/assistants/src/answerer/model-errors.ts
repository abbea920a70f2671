/** The model's server is unavailable or busy. Worth a retry. */
export class ModelUnavailable extends Error {
  override name = 'ModelUnavailable';
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The prompt and the answer do not fit into the model's context. */
export class PromptTooLong extends Error {
  override name = 'PromptTooLong';
  constructor() {
    super('The question is too long for the model (OPENAI_MODEL): check OPENAI_CONTEXT_TOKENS.');
  }
}

/** The model wrote as much as it may (OPENAI_ANSWER_TOKENS), and did not finish. */
export class AnswerTooLong extends Error {
  override name = 'AnswerTooLong';
  constructor() {
    super('The model did not finish its answer within OPENAI_ANSWER_TOKENS.');
  }
}

/** Nothing that the model wrote can be shown with its source. */
export class UncitedAnswer extends Error {
  override name = 'UncitedAnswer';
  constructor() {
    super('The model wrote nothing that can be shown with its source.');
  }
}

/** The server does not accept this kind of request. */
export class RequestRejected extends Error {
  override name = 'RequestRejected';
}

/** The account has spent its tokens of the day. */
export class TokensSpent extends Error {
  override name = 'TokensSpent';
  constructor() {
    super('The account has spent its tokens of the day (MODEL_TOKENS_PER_DAY).');
  }
}

/** Why the model's own words are not used, but a quote. */
const UNUSABLE = [UncitedAnswer, AnswerTooLong, PromptTooLong, TokensSpent];

export const isUnusable = (error: unknown): boolean => UNUSABLE.some((unusable) => error instanceof unusable);
