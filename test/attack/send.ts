import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isForVisitors } from '../conformance/operations.ts';
import type { Answer } from '../e2e/api.ts';
import type { Attack } from './requests.ts';

const WITHIN_MS = 30_000;

/** Sends requests exactly as they are: `fetch` tidies paths, and sends no body with GET. */
export function createSender(baseUrl: string) {
  const { hostname, port, pathname } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true });
  return {
    send: ({ method, path, headers: given, body }: Attack): Promise<Answer<unknown>> =>
      new Promise((resolve, reject) => {
        // Node states no length with GET: the body would be read as another request.
        const headers = body === undefined ? given : { ...given, 'content-length': Buffer.byteLength(body) };
        const full = isForVisitors(path) ? path : pathname + path;
        const options = { agent, hostname, port, method, path: full, headers, timeout: WITHIN_MS };
        const sent = request(options, (response) => {
          buffer(response).then((bytes) => {
            const received = new Headers(
              Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
            );
            const text = bytes.toString();
            const isJson = received.get('content-type')?.startsWith('application/json');
            resolve({
              status: response.statusCode!,
              headers: received,
              text,
              body: isJson ? JSON.parse(text) : undefined,
            });
          }, reject);
        });
        sent.on('timeout', () => sent.destroy(new Error(`no answer within ${WITHIN_MS} ms`)));
        sent.on('error', reject).end(body);
      }),
    close: () => agent.destroy(),
  };
}
