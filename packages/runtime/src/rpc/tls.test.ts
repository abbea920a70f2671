import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { Server } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { gate, until } from '../testing/index.ts';
import { issue } from '../tls/testing/issue.ts';
import { mountCertificate } from '../tls/testing/mount-secret.ts';
import { atEnd, auth, connect, edgeCall, listener, refusal, startServer } from './testing/rpc.ts';
import { openRpcTls, type RpcTls, type TlsMode } from './tls.ts';
import { tlsListener } from './tls-listener.ts';

let issued: string;

beforeAll(async () => {
  issued = await mkdtemp(join(tmpdir(), 'parley-rpc-tls-'));
  for (const ca of ['ca', 'next-ca', 'other-ca']) await issue(issued, ca);
  await Promise.all([
    issue(issued, 'first', { by: 'ca' }),
    issue(issued, 'second', { by: 'next-ca' }),
    issue(issued, 'stranger', { by: 'other-ca' }),
    issue(issued, 'elsewhere', { by: 'ca', names: 'DNS:elsewhere' }),
    issue(issued, 'expired', { by: 'ca', expired: true }),
  ]);
});
afterAll(() => rm(issued, { recursive: true }));

let mounts = 0;

/** Opens the TLS of a process, with a log of its own, and a function that replaces its certificate. */
async function owner(
  certificate: string,
  { cas = ['ca'], mode = 'require', name }: { cas?: string[]; mode?: TlsMode; name?: string } = {},
) {
  const dir = join(issued, `mount-${mounts++}`);
  await mountCertificate(dir, issued, certificate, cas);
  const { log, lines } = listener();
  const tls = openRpcTls({ dir, mode, name }, log);
  await tls.start();
  atEnd(() => tls.stop());
  async function renew(next: string, accepted: string[]) {
    await mountCertificate(dir, issued, next, accepted);
    const before = tls.certificate();
    await until(() => {
      tls.wake();
      return tls.certificate() !== before;
    });
  }
  return { tls, log, lines, renew };
}

const serve = ({ tls, log }: Pick<Awaited<ReturnType<typeof owner>>, 'tls' | 'log'>, maxConnectionAgeMs = 60_000) =>
  startServer([auth({ verifyKey: async ({ key }) => ({ account: { name: key } }) })], { tls, log, maxConnectionAgeMs });

/** Calls once as a process with this TLS does, or in plaintext; says how it went, and what the caller's log says. */
async function callAs(address: string, tls?: RpcTls) {
  const { log, lines } = listener();
  const client = connect(address, { tls, log });
  return { ...(await refusal(client.verifyKey({ key: 'x' }, edgeCall().onward()))), said: lines.join('') };
}

test('processes with certificates of one CA call each other over TLS', async () => {
  const server = await owner('first');
  const { address, port } = await serve(server);
  const { tls } = await owner('first');
  expect((await callAs(address, tls)).code).toBe('ok');
  const subject = await shownBy(port);
  expect(subject).toBe('first');
});

test.each([
  ['without a certificate', undefined, 'it does not speak TLS'],
  ['of another CA', 'stranger', 'its certificate is of a CA that is not in ca.crt'],
  ['with an expired certificate', 'expired', 'its certificate has expired'],
])('a client %s is refused, and the log says why', async (_, name, reason) => {
  const server = await owner('first', { cas: ['ca'] });
  const { address } = await serve(server);
  const client = name ? await owner(name, { cas: ['ca'] }) : undefined;
  expect((await callAs(address, client?.tls)).code).toBe('unavailable');
  expect(server.lines.join('')).toContain(`A client was refused: ${reason}.`);
});

test('a client that speaks TLS and shows no certificate is refused, and the log says why', async () => {
  const server = await owner('first');
  const { port } = await serve(server);
  await new Promise((resolve) => {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] });
    socket
      .on('error', () => {})
      .on('close', resolve)
      .resume();
  });
  await until(() => server.lines.join('').includes('A client was refused: it shows no certificate.'));
});

test.each([
  ['of another name', 'elsewhere', "IP: 127.0.0.1 is not in the cert's list"],
  ['that has expired', 'expired', 'certificate has expired'],
  ['of another CA', 'stranger', 'unable to verify the first certificate'],
])('a server with a certificate %s is not called, and the log of the caller says why', async (_, name, reason) => {
  const server = await owner(name, { cas: ['ca'] });
  const { address } = await serve(server);
  const { tls } = await owner('first');
  const { code, said } = await callAs(address, tls);
  expect(code).toBe('unavailable');
  expect(said).toContain(reason);
});

test('an operator’s program calls the server beside it, whose certificate is for its name', async () => {
  const { address } = await serve(await owner('elsewhere', { name: 'elsewhere' }));
  const { tls } = await owner('elsewhere', { name: 'elsewhere' });
  expect((await callAs(address, tls)).code).toBe('ok');
});

test.each([
  ['of another name', 'first', 'the certificate is for IP Address:127.0.0.1, not for parley-auth'],
  ['that has expired', 'expired', 'the certificate has expired'],
])('a process with a certificate %s is not ready, and its log says why', async (_, name, reason) => {
  const { tls, lines } = await owner(name, { name: 'parley-auth' });
  await expect(tls.ready!()).rejects.toThrow(reason);
  expect(lines.join('')).toContain(reason);
});

test('while calls run, certificate and CA are renewed: no call fails, and new connections show the new certificate', async () => {
  const server = await owner('first');
  // Connections live for a tenth of a second, so that many are made.
  const { address, port } = await serve(server, 100);
  const client = await owner('first');
  const caller = connect(address, { tls: client.tls, log: client.log });
  const outcomes = new Set<string>();
  let calls = 0;
  let running = true;
  const load = Array.from({ length: 8 }, async () => {
    for (; running; calls++) outcomes.add((await refusal(caller.verifyKey({ key: 'x' }, edgeCall().onward()))).code);
  });
  const more = async () => {
    const enough = calls + 200;
    await until(() => calls > enough);
  };
  await more();
  for (const one of [server, client]) await one.renew('first', ['ca', 'next-ca']);
  await more();
  for (const one of [server, client]) await one.renew('second', ['ca', 'next-ca']);
  await more();
  for (const one of [server, client]) await one.renew('second', ['next-ca']);
  await more();
  running = false;
  await Promise.all(load);
  expect([...outcomes]).toEqual(['ok']);
  expect(await shownBy(port)).toBe('second');
});

test('processes of neighbouring modes call each other, so that a running system can be changed step by step', async () => {
  const steps = [undefined, 'allow', 'prefer', 'require'] as const;
  for (const [older, newer] of [
    [0, 1],
    [1, 2],
    [2, 3],
  ] as const) {
    const sides = await Promise.all(
      [steps[older], steps[newer]].map(async (mode) => (mode ? await owner('first', { mode }) : undefined)),
    );
    const { log } = listener();
    const servers = await Promise.all(
      sides.map((side) => startServer([auth({ verifyKey: async () => ({}) })], { tls: side?.tls, log })),
    );
    for (const { address } of servers)
      for (const side of sides) expect((await callAs(address, side?.tls)).code).toBe('ok');
  }
});

test('a server over TLS stops although a client has connected and said nothing', async () => {
  const { tls, log } = await owner('first');
  const server = await serve({ tls, log });
  const socket = createConnection(server.port, '127.0.0.1').on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await server.stop(0);
  await closed;
});

test.each([
  ['says nothing', ''],
  ['begins a handshake and says no more', '\x16\x03\x01\x02\x00\x01'],
])('a client that %s is disconnected', async (_, said) => {
  const { tls, log } = await owner('first');
  const impatient = tlsListener(new Server(), { host: '127.0.0.1', port: 0 }, tls, log, 100);
  const port = await impatient.start();
  atEnd(async () => impatient.destroy());
  const socket = createConnection(port, '127.0.0.1');
  socket.write(said, 'latin1');
  await once(socket.resume(), 'close');
  await impatient.close();
});

test('a server over TLS that is stopped finishes a running call, and waits no longer', async () => {
  const begun = gate();
  const end = gate();
  async function verifyKey() {
    begun.open();
    await end.opened;
    return {};
  }
  const { tls, log } = await owner('first');
  const server = await startServer([auth({ verifyKey })], { tls, log });
  const calling = callAs(server.address, tls);
  await begun.opened;
  const stopping = server.stop(600_000);
  end.open();
  expect((await calling).code).toBe('ok');
  await stopping;
});

/** The name in the certificate that a server shows to a new connection. */
function shownBy(port: number): Promise<string> {
  const file = (name: string) => readFileSync(join(issued, name));
  const [cert, key] = ['second.crt', 'second.key'].map(file);
  return new Promise((resolve, reject) => {
    const socket = connectTls({ port, host: '127.0.0.1', cert, key, rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    }).on('error', reject);
  });
}
