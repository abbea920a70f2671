/** What mongodb.Dockerfile runs: the embedded engine, reached by TCP as a MongoDB server is. */
import { connect, createServer } from 'node:net';
import { startEngine } from '../../deploy/embedded/src/engine/start-engine.ts';

const PORT = 27_017;

const engine = await startEngine({ dataDir: '/data/db' });
const socketPath = decodeURIComponent(new URL(engine.uri).hostname);

createServer((client) => {
  const server = connect(socketPath);
  client.pipe(server).pipe(client);
  // Either end may go first: neither outlives the other.
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const)
    one.setNoDelay().on('error', () => other.destroy());
}).listen(PORT);

process.once('SIGTERM', () => engine.stop());
process.exit((await engine.exited) ?? 1);
