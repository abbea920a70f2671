/** Why a request to an OpenAI-compatible server failed. */
export interface OpenAiFailure {
  /** For operators. Never quotes the server, whose messages may contain the key. */
  sentence: string;
  /** Transient: worth a retry. */
  passing: boolean;
  /** How long the server asks clients to wait. */
  retryAfterMs?: number | undefined;
}

/**
 * Describes an error of OpenAI's client library.
 *
 * @param name, modelVariable what to call the server, and the variable that names its model
 */
export function openAiFailure(
  error: unknown,
  { name, modelVariable }: { name: string; modelVariable: string },
): OpenAiFailure {
  const { status, headers, code } = error as { status?: number; headers?: Headers; code?: string };
  const passing = (sentence: string) => ({
    sentence,
    passing: true,
    retryAfterMs: retryAfterMs(headers?.get('retry-after')),
  });
  const lasting = (sentence: string) => ({ sentence, passing: false });
  if (status === undefined) {
    const why = reason(error);
    if (UNREACHABLE.test(why))
      return passing(`The ${name} (OPENAI_BASE_URL) can't be reached (${why}): check its address, and that it runs.`);
    return passing(`The ${name} (OPENAI_BASE_URL) can't be reached, or broke off its answer (${why}).`);
  }
  if (status === 401 || status === 403)
    return lasting(`The ${name} refused the key (${status}): check OPENAI_API_KEY.`);
  if (status === 404)
    return lasting(`The ${name} knows no such model or path (404): check ${modelVariable} and OPENAI_BASE_URL.`);
  if (status === 402 || (status === 429 && code === 'insufficient_quota'))
    return lasting(
      `The ${name} says that the account of OPENAI_API_KEY has no quota left (${status}): its owner has to add some.`,
    );
  if (status === 429) return passing(`The ${name} is busy (429).`);
  if (status === 408 || status === 409 || status >= 500) return passing(`The ${name} failed (${status}).`);
  return lasting(`The ${name} rejected the request (${status}): check ${modelVariable}.`);
}

/** The server never got the request. */
const UNREACHABLE =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ECONNABORTED|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED)/;

/** The deepest code or name, such as ECONNREFUSED: causes nest, and their messages may hold addresses with secrets. */
function reason(error: unknown): string {
  let at = error as NodeJS.ErrnoException;
  for (let depth = 0; at.cause && depth < 5; depth++) at = at.cause as NodeJS.ErrnoException;
  return at.code ?? at.name;
}

/** RFC 9110, section 10.2.3: seconds or a date. */
function retryAfterMs(header: string | null | undefined): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}
