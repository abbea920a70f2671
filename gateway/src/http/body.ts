import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.ts';
import { parseObject } from './json.ts';
import type { Middleware } from './state.ts';

const MAX_BYTES = 1024 * 1024;
/** Up to here a client that sends too much is heard out, so that it reads its 413 instead of a broken connection. */
const MAX_DRAINED = 16 * MAX_BYTES;

/** Reads the body: a JSON object in UTF-8 of at most 1 MiB, or nothing at all. */
export const body = ({ timeoutMs }: { timeoutMs: number }): Middleware =>
  async function body(ctx, next) {
    const bytes = await read(ctx.req, timeoutMs);
    const { route } = ctx.state.found;
    // Where no body belongs, the type of none is nobody's concern.
    if (bytes.length > 0 || (route?.body && ctx.get('content-type') !== '')) checkType(ctx.req);
    ctx.state.body = bytes.length > 0 ? parseObject(bytes) : undefined;
    await next();
  };

/** Throws 413 for more than 1 MiB, 408 for a client that is too slow. */
function read(request: IncomingMessage, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const late = () => reject(new HttpError(408, 'The request took too long to arrive.', { Connection: 'close' }));
    const timer = setTimeout(late, timeoutMs);
    const tooLarge = (headers = {}) =>
      reject(new HttpError(413, 'The body must have at most 1,048,576 bytes (1 MiB).', headers));
    request
      .on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= MAX_BYTES) chunks.push(chunk);
        else if (size > MAX_DRAINED) tooLarge({ Connection: 'close' });
      })
      .once('end', () => (size > MAX_BYTES ? tooLarge() : resolve(Buffer.concat(chunks))))
      .once('error', reject)
      .once('close', () => clearTimeout(timer));
  });
}

/** Throws 415 unless the body is announced as plain JSON in UTF-8. */
function checkType({ headers }: IncomingMessage): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((p) => p.trim()).find((p) => p.startsWith('charset='));
  const utf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (type.trim() !== 'application/json' || !utf8 || encoding !== 'identity')
    throw new HttpError(415, 'The body must be JSON in UTF-8, sent as Content-Type: application/json.');
}
