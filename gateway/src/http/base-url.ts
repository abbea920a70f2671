import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { TLSSocket } from 'node:tls';
import { invalidArgument } from '@parley/runtime';
import { parseUrl } from '@parley/runtime/parse-url';
import { isFromProxy } from './client-address.ts';

/**
 * The URL of the API as the client of a request reaches it, ending with `/v1`: under `publicUrl`, or else the address it
 * used. Only trusted proxies are believed about that.
 */
export function baseUrl(
  publicUrl: string | undefined,
  trustedProxies: BlockList,
): (request: IncomingMessage) => string {
  if (publicUrl !== undefined) return () => `${publicUrl}/v1`;
  return (request) => {
    const forwarded = (name: string) => {
      const header = request.headers[`x-forwarded-${name}`];
      return header === undefined || !isFromProxy(trustedProxies, request) ? '' : String(header).split(',')[0]!.trim();
    };
    const used = request.socket instanceof TLSSocket ? 'https' : 'http';
    const scheme = (forwarded('proto') || used).toLowerCase() === 'https' ? 'https' : 'http';
    const host = forwarded('host') || (request.headers.host ?? '');
    const address = parseUrl(`${scheme}://${host}`);
    if (!address) throw invalidArgument('The Host header is not a host.');
    return `${address.origin}/v1`;
  };
}
