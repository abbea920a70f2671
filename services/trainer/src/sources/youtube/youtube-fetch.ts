import { type OutboundClient, OutboundError } from '@parley/runtime/outbound';
import { sentenceOf } from '../../crawl/http/sentences.ts';
import { VideoError } from './video-error.ts';

/** The function that the client library calls for each request. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export const YOUTUBE = 'https://www.youtube.com';

/** The most bytes of the answer about a video; 100 to 400 KB as a rule. */
const MAX_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

interface Options {
  readonly client: Pick<OutboundClient, 'get' | 'post'>;
  /** Where YouTube is reached: `YOUTUBE`, or the origin of something in front of it. */
  readonly origin: string;
  readonly hasProxy: boolean;
  readonly signal: AbortSignal;
}

/** A `fetch` that reaches YouTube only, through the outbound client, and throws a VideoError for what is no answer of it. */
export function youTubeFetch({ client, origin, hasProxy, signal }: Options): Fetch {
  return async (input, init = {}) => {
    const asked = new URL(input instanceof Request ? input.url : input);
    if (asked.origin !== YOUTUBE) throw new VideoError('unreadable', 'it leads to another site');
    const url = new URL(asked.pathname + asked.search, origin).href;
    const headers = Object.fromEntries(new Headers(init.headers));
    const options = { headers, signal, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, follow: () => false };
    try {
      const { body: sent } = init;
      const answer = await (typeof sent === 'string' ? client.post(url, sent, options) : client.get(url, options));
      // To a page that asks for consent, or for a proof that one is no robot.
      if (answer.redirect || answer.status === 403) throw new VideoError('refused');
      if (answer.status === 429) throw new VideoError('busy');
      if (answer.status >= 500) throw new VideoError('network', `It answered ${answer.status}.`);
      if (answer.status >= 400 && answer.status !== 404)
        throw new VideoError('unreadable', `it has the status ${answer.status}`);
      return new Response(new Uint8Array(answer.body), {
        status: answer.status,
        headers: { 'content-type': answer.headers['content-type'] ?? '' },
      });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const where = hasProxy ? ' Is the proxy of YOUTUBE_PROXY_URL right?' : '';
      throw new VideoError('network', `${sentenceOf(error.failure)}${where}`, { cause: error });
    }
  };
}
