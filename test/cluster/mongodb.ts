/** Runs in mongodb.Dockerfile: serves the embedded engine over TCP, like a MongoDB server. */
import { connect, createServer } from 'node:net';
import { startEngine } from '../../deploy/embedded/src/engine/start-engine.ts';

const PORT = 27_017;

const engine = await startEngine({ dataDir: '/data/db' });
const socketPath = decodeURIComponent(new URL(engine.uri).hostname);

createServer((client) => {
  const server = connect(socketPath);
  client.pipe(server).pipe(client);
  // If either side fails, close the other.
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const)
    one.setNoDelay().on('error', () => other.destroy());
}).listen(PORT);

process.once('SIGTERM', () => engine.stop());
process.exit((await engine.exited) ?? 1);
