import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
// biome-ignore lint/style/noRestrictedImports: only to forbid its use.
import net from 'node:net';

function refuse(): never {
  throw new Error('A reader process has no network.');
}

/**
 * Makes every way to a network throw: no code of a reader opens a connection, and none that a document could trick into
 * it shall. HTTP, TLS and fetch are built on sockets. Not a wall against native code, which readers do not load.
 */
export function forbidConnections(): void {
  Object.assign(net.Socket.prototype, { connect: refuse });
  Object.assign(net.Server.prototype, { listen: refuse });
  Object.assign(dgram.Socket.prototype, { bind: refuse, connect: refuse, send: refuse });
  for (const resolver of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype] as object[])
    for (const name of [...Object.keys(resolver), ...Object.getOwnPropertyNames(resolver)])
      if (/^(lookup|resolve|reverse)/.test(name)) Object.assign(resolver, { [name]: refuse });
  syncBuiltinESMExports();
}
