import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { WebsiteSettings } from '@parley/corpus';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { MANY_ATTRIBUTES, MANY_ROBOTS, MANY_WILDCARDS } from '../sandbox/testing/hostile.ts';
import { page, trainerWorld } from '../testing/trainer.ts';

let world: Awaited<ReturnType<typeof trainerWorld>>;
const ending: (() => unknown)[] = [];

beforeAll(async () => {
  world = await trainerWorld();
});
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
  await world.reset();
});
afterAll(() => world.close());

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

const html = (body: string): Answer => {
  const gzipped = gzipSync(body);
  return (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(gzipped);
};
const linksTo = (paths: string[]) => paths.map((path) => `<a href="${path}">x</a>`).join('');
const numbered = (count: number, prefix: string) => Array.from({ length: count }, (_, i) => `/${prefix}${i}`);
const bomb = gzipSync(Buffer.alloc(9_900_000, '<loc>'));
const nearly = numbered(50, '*aaab*aab'.repeat(20));
const longPath = `/${'a'.repeat(1_900)}`;

/** Sites that attack a crawler: the responses by path; anything else is 404. */
const HOSTILE: Record<string, { start?: string; settings?: WebsiteSettings; answers: Record<string, Answer> }> = {
  'a robots.txt of wildcards': {
    start: longPath,
    answers: { '/robots.txt': (_, response) => response.end(MANY_WILDCARDS), '*': html('<p>x') },
  },
  'a robots.txt of robots': {
    answers: { '/robots.txt': (_, response) => response.end(MANY_ROBOTS), '*': html('<p>x') },
  },
  'attributes without end': {
    answers: {
      '/': html(`<p>x</p>${linksTo(numbered(50, 'n'))}`),
      '/robots.txt': (_, response) => response.writeHead(404).end(),
      '*': html(MANY_ATTRIBUTES),
    },
  },
  'links without end': {
    answers: {
      '/robots.txt': (_, response) => response.end('User-agent: *\nDisallow: /*private*\n'),
      '*': (request, response) =>
        html(`<p>x</p>${linksTo(numbered(2_000, `${request.url!.slice(1, 200)}a`))}`)(request, response),
    },
  },
  drips: {
    answers: {
      '/': html(`<p>x</p>${linksTo(numbered(50, 'n'))}`),
      '/robots.txt': (_, response) => response.writeHead(404).end(),
      '*': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const drip = setInterval(() => response.write('<p>'), 20);
        response.on('close', () => clearInterval(drip));
      },
    },
  },
  'addresses that nearly match the patterns': {
    settings: { include: nearly.map((pattern) => `${pattern}b$`), exclude: nearly },
    answers: {
      '/': html('<p>x'),
      '/robots.txt': (_, response) => response.writeHead(404).end(),
      '/sitemap.xml': ({ headers }, response) =>
        response.end(
          numbered(4_900, 'a'.repeat(1_950))
            .map((path) => `<loc>http://${headers.host}${path}</loc>`)
            .join(''),
        ),
      '*': html('<p>x'),
    },
  },
  'sitemaps that are bombs': {
    answers: {
      '/robots.txt': ({ headers }, response) =>
        response.end(
          numbered(20, 's')
            .map((map) => `Sitemap: http://${headers.host}${map}\n`)
            .join(''),
        ),
      '/': html('<p>x'),
      '*': (_, response) => response.end(bomb),
    },
  },
};

async function serve(answers: Record<string, Answer>): Promise<{ origin: string; asked: () => number }> {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    const answer = answers[request.url!] ?? answers['*']!;
    answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ending.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Polls `/healthz` until the signal aborts; returns the latencies in milliseconds, sorted. */
async function askHealth(ops: string, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const began = performance.now();
    expect((await fetch(`${ops}/healthz`)).status).toBe(200);
    times.push(performance.now() - began);
    await sleep(20);
  }
  return times.sort((a, b) => a - b);
}

const percentile = (sorted: number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)]!;

async function healthDuring(ops: string, work: () => Promise<unknown>) {
  const done = new AbortController();
  const asking = askHealth(ops, done.signal);
  await work().finally(() => done.abort());
  const times = await asking;
  return { p99: percentile(times, 0.99), longest: times.at(-1)!, asked: times.length };
}

/** The ids of the running processes, or of those with the given parent. */
async function running(parent?: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/));
  const found = rows.filter(([, ppid, stat]) => !stat!.startsWith('Z') && (!parent || Number(ppid) === parent));
  return found.map(([pid]) => Number(pid));
}

async function train(account: string, base_url: string, settings: WebsiteSettings = {}): Promise<string> {
  const website = { base_url, ...settings };
  const { _id } = await world.corpus.items.create(account, randomId(), { type: 'website', website });
  await world.corpus.training.request(account, _id, randomId());
  return _id;
}

/** Trains an ordinary site for a new account; returns how many milliseconds it took. */
async function trainOrdinary(within: number): Promise<number> {
  const began = performance.now();
  const id = await train(randomId(), world.site.url);
  const item = await until(
    () => world.stored(id),
    (item) => item?.training.state === 'idle',
    within,
  );
  expect(item).toMatchObject({ training_failed_with: null, live: { chunks: 5 } });
  return performance.now() - began;
}

test('while hostile sites are trained, health checks are answered and another account can train', async () => {
  const port = await freePort();
  const ops = `http://127.0.0.1:${port}`;
  const trainer = world.spawnTrainer(undefined, {
    HOST: '127.0.0.1',
    OPS_PORT: String(port),
    CRAWL_ALLOW: '127.0.0.0/8',
    TRAINER_CONCURRENCY: '16',
  });
  const ready = () =>
    fetch(`${ops}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(ready);
  const paths = ['/a', '/b', '/c', '/d'];
  world.site.pages.set('/', page('Home', 'Welcome', paths));
  for (const path of paths) world.site.pages.set(path, page(path, `The text of ${path}`));
  // On a busy machine, everything is slower, including this.
  let alone = 0;
  const before = await healthDuring(ops, async () => {
    alone = await trainOrdinary(100_000);
  });

  const attacker = randomId();
  const attacks = Object.values(HOSTILE);
  const sites = await Promise.all(attacks.map(({ answers }) => serve(answers)));
  // Readers have a low priority, so other work on the machine slows them most. A training held up by another would take many minutes.
  const bound = Math.max(180_000, 8 * alone);
  const during = await healthDuring(ops, async () => {
    const hostile = await Promise.all(
      attacks.map(({ start = '/', settings }, i) => train(attacker, sites[i]!.origin + start, settings)),
    );
    await until(() => sites.every(({ asked }) => asked() > 0));
    expect(await trainOrdinary(bound)).toBeLessThan(bound);
    const states = await Promise.all(hostile.map((id) => world.stored(id)));
    expect(states.some((item) => item!.training.state === 'running')).toBe(true);
  });
  expect(during.p99).toBeLessThan(Math.max(200, 5 * before.p99));
  // A robots.txt read in the trainer itself held one answer up for 18 s.
  expect(during.longest).toBeLessThan(Math.max(6_000, 10 * before.longest));

  const readers = await running(trainer.pid!);
  expect(readers.length).toBeGreaterThan(0);
  trainer.kill('SIGTERM');
  await once(trainer, 'exit');
  await until(async () => !(await running()).some((pid) => readers.includes(pid)));
}, 900_000);
