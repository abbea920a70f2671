import { createSocket } from 'node:dgram';
import { lookup, promises, Resolver } from 'node:dns';
import { get } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { forbidConnections } from '../no-network.ts';

/** Tries every way to a network after they were forbidden, and prints what became of each. */
const port = Number(process.argv[2]);
forbidConnections();

const settled = (begin: (done: (error?: unknown) => void) => unknown): Promise<string> =>
  new Promise<void>((resolve, reject) => {
    const done = (error?: unknown) => (error ? reject(error) : resolve());
    Promise.resolve(begin(done)).then(undefined, reject);
  }).then(
    () => 'reached',
    (error: unknown) => (/no network/.test(String((error as Error).cause ?? error)) ? 'refused' : String(error)),
  );

const net = await import('node:net');
const outcomes = {
  fetch: await settled(async (done) => {
    await fetch(`http://127.0.0.1:${port}/`);
    done();
  }),
  http: await settled((done) => get({ host: '127.0.0.1', port }, () => done()).on('error', done)),
  http2: await settled((done) => connectHttp2(`http://127.0.0.1:${port}`, () => done()).on('error', done)),
  tls: await settled((done) => connectTls({ host: '127.0.0.1', port }, () => done()).on('error', done)),
  net: await settled((done) => net.connect(port, '127.0.0.1', () => done()).on('error', done)),
  listen: await settled((done) => net.createServer().listen(0, () => done())),
  dgram: await settled((done) =>
    createSocket('udp4').send('x', port, '127.0.0.1', (error) => done(error ?? undefined)),
  ),
  lookup: await settled((done) => lookup('localhost', () => done())),
  resolve: await settled(async (done) => {
    await promises.resolve4('localhost').catch((error: Error) => done(error));
    new Resolver().resolve4('localhost', () => done());
  }),
};
process.stdout.write(JSON.stringify(outcomes));
process.exit();
