import type { IncomingMessage } from 'node:http';
import { success } from './envelope.ts';
import type { Middleware } from './state.ts';
import type { UploadAddresses } from './upload-address.ts';

/** Makes anew what has expired in a response that was kept for a retry, such as a signed address. Its route knows how. */
export function renewReplayed(options: {
  addresses: Pick<UploadAddresses, 'sign'>;
  baseUrlOf(request: IncomingMessage): string;
}): Middleware {
  return async function renewReplayed(ctx, next) {
    await next();
    const { found, identity } = ctx.state;
    const renew = found.route?.renew;
    if (!renew || ctx.response.get('Idempotent-Replayed') === '' || typeof ctx.body !== 'string') return;
    const { data } = JSON.parse(ctx.body);
    if (data === undefined) return;
    const signUpload = (item: string) => options.addresses.sign(identity!.account.id, item);
    ctx.body = success(renew(data, { baseUrl: options.baseUrlOf(ctx.req), signUpload }));
  };
}
