import type { IncomingMessage } from 'node:http';
import { notFound } from '@parley/runtime';
import type { FolderFor } from '../public/finders.ts';
import type { BodyKind } from '../route.ts';
import type { BodyAccount, BodyBudget } from './body-budget.ts';
import { failureOf } from './failure.ts';
import { type FormBodies, isForm } from './form-body.ts';
import { HttpError } from './http-error.ts';
import { parseObject } from './json.ts';
import type { Context, Middleware } from './state.ts';
import type { Uploads } from './uploads.ts';

const MAX_BYTES = 1024 * 1024;
/** How much of a body that is too large is read and dropped, so that the client gets its 413 and not a broken connection. */
const MAX_DRAINED = 16 * MAX_BYTES;

/** Receives the body as its route consumes it. Its bytes count against the budget until the request is answered. */
export function body({
  timeoutMs,
  budget,
  uploads,
  forms,
  folderFor,
  addressOf,
}: {
  timeoutMs: number;
  budget: BodyBudget;
  uploads: Uploads;
  forms: FormBodies;
  folderFor: FolderFor;
  addressOf(request: IncomingMessage): string;
}): Middleware {
  const receive: Record<BodyKind, (ctx: Context, account: BodyAccount) => Promise<void>> = {
    /** A JSON object in UTF-8 of at most 1 MiB, or nothing at all. */
    async json(ctx, account) {
      const bytes = await read(ctx.req, timeoutMs, account);
      // An empty body is accepted with any content type.
      if (bytes.length > 0 || (ctx.state.found.route?.body && ctx.get('content-type') !== '')) checkType(ctx.req);
      ctx.state.body = bytes.length > 0 ? parseObject(bytes) : undefined;
    },
    /** The same, or `multipart/form-data` with files. */
    async form(ctx, account) {
      if (!isForm(ctx.req)) return receive.json(ctx, account);
      const { embeddedForm, requestId } = ctx.state;
      if (!embeddedForm) throw notFound('There is no such ticket form.');
      const origin = { account: embeddedForm.account, folderFor: folderFor(embeddedForm, requestId) };
      ctx.state.form = await forms.receive(ctx.req, origin);
      ctx.state.body = ctx.state.form.fields;
    },
    async upload(ctx) {
      ctx.state.file = uploads.open(ctx.req, ctx.state.uploader!);
    },
    none: async () => {},
  };

  /** The key and the account whose bytes count; all visitors share one account, and those of an address one key. */
  const payerOf = ({ req, state }: Context): [key: string, account: string] =>
    state.identity ? [state.identity.key.id, state.identity.account.id] : [addressOf(req), 'visitors'];

  return async function body(ctx, next) {
    const account = budget.open(...payerOf(ctx));
    try {
      await receive[ctx.state.found.route!.consumes](ctx, account);
      await next();
      const { form } = ctx.state;
      if (form?.kept !== form?.folder) await form!.discard();
    } catch (error) {
      // After any other error the ticket may have been opened, or will be.
      if (failureOf(error).status < 500) await ctx.state.form?.discard();
      throw error;
    } finally {
      account.release();
      ctx.state.file?.close();
    }
  };
}

/** Throws 413 for more than 1 MiB, 408 for a client that is too slow, and whatever `account` throws. */
function read(request: IncomingMessage, timeoutMs: number, account: BodyAccount): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let refused = false;
    /** Later chunks are dropped. */
    const refuse = (error: unknown) => {
      refused = true;
      chunks.length = 0;
      account.release();
      reject(error);
    };
    const late = () => {
      // Already answered, but the client still has not finished sending.
      if (refused) request.socket.destroy();
      else if (size > MAX_BYTES) tooLarge({ Connection: 'close' });
      else refuse(new HttpError(408, 'The request took too long to arrive.', { Connection: 'close' }));
    };
    // Node emits nothing when a request that was answered early breaks off, so the timer may outlive it.
    const timer = setTimeout(late, timeoutMs).unref();
    const tooLarge = (headers = {}) =>
      refuse(new HttpError(413, 'The body must have at most 1,048,576 bytes (1 MiB).', headers));
    const keep = (chunk: Buffer) => {
      try {
        account.take(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        refuse(error);
      }
    };
    request
      .on('data', (chunk: Buffer) => {
        if (refused) return;
        size += chunk.length;
        if (size <= MAX_BYTES) return keep(chunk);
        chunks.length = 0;
        account.release();
        if (size > MAX_DRAINED) tooLarge({ Connection: 'close' });
      })
      .once('end', () => {
        clearTimeout(timer);
        if (size > MAX_BYTES) tooLarge();
        else resolve(Buffer.concat(chunks));
      })
      .once('error', refuse)
      .once('close', () => clearTimeout(timer));
  });
}

/** Throws 415 unless the Content-Type is JSON in UTF-8, without compression. */
function checkType({ headers }: IncomingMessage): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((p) => p.trim()).find((p) => p.startsWith('charset='));
  const utf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (type.trim() !== 'application/json' || !utf8 || encoding !== 'identity')
    throw new HttpError(415, 'The body must be JSON in UTF-8, sent as Content-Type: application/json.');
}
