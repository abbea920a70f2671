/** The minimum that receives mail: a server that stores each message as it is, before its 250. Reads DIR. */
import type { AddressInfo } from 'node:net';
import { createDirectoryStore } from '@parley/runtime/objects';
import { randomId } from '@parley/runtime/rpc';
import { SMTPServer } from 'smtp-server';
import { tellReady } from './program.ts';

const store = createDirectoryStore({ dir: process.env['DIR']! });
await store.start?.(AbortSignal.timeout(60_000));
const server = new SMTPServer({
  ...{ authOptional: true, disabledCommands: ['AUTH', 'STARTTLS'], disableReverseLookup: true, logger: false },
  onData(stream, _, callback) {
    stream
      .toArray()
      .then((chunks) => store.put(`mail/${randomId()}.eml`, Buffer.concat(chunks)))
      .then(() => callback(), callback);
  },
});
server.listen(0, '127.0.0.1', () => tellReady((server.server.address() as AddressInfo).port));
