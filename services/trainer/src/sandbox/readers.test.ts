import { setMaxListeners } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import { createReaders, type ReadersOptions } from './readers.ts';
import { MANY_ATTRIBUTES, MANY_ROBOTS, pageOf } from './testing/hostile.ts';

const never = new AbortController().signal;
setMaxListeners(0, never);
const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

function open(options: ReadersOptions) {
  const readers = createReaders(options);
  ending.push(() => readers.close());
  return readers;
}

const outcome = (reading: Promise<unknown>) =>
  reading.then(
    () => 'read',
    (error: unknown) => error,
  );

test('hostile HTML times out, and the pages after it are read', async () => {
  const reader = open({ timeoutMs: 1_000, quickMs: 500 }).reader();
  const hostile = outcome(reader.read('page', pageOf(MANY_ATTRIBUTES), never));
  const next = reader.read('page', pageOf('<p>fine'), never);
  expect(await hostile).toMatchObject({ name: 'ReadingFailed', reason: 'time', timeoutMs: 1_000 });
  expect((await next).text).toContain('fine');
});

test('a job that runs out of memory fails without affecting others', async () => {
  const reader = open({ memoryMb: 128, timeoutMs: 600_000, quickMs: 600_000 }).reader();
  const robots = { address: 'http://example.org/robots.txt', text: Buffer.from(MANY_ROBOTS) };
  expect(await outcome(reader.read('robots', robots, never))).toMatchObject({
    name: 'ReadingFailed',
    reason: 'memory',
  });
  expect((await reader.read('page', pageOf('<p>fine'), never)).text).toContain('fine');
}, 600_000);

test('a job that throws fails, and its process goes on', async () => {
  const reader = open({}).reader();
  const damaged = { body: Buffer.from([0x1f, 0x8b, 0]), origin: 'http://example.org' };
  expect(await outcome(reader.read('sitemap', damaged, never))).toMatchObject({ reason: 'error' });
  expect(await reader.read('split', { texts: [{ text: 'One.' }, { text: '' }], limit: 9 }, never)).toEqual([
    [{ text: 'One.', headings: [], section: 0 }],
    [],
  ]);
});

test('trainings whose jobs never end do not delay the jobs of others', async () => {
  const readers = open({ quickMs: 500, timeoutMs: 600_000 });
  let ended = 0;
  for (const hostile of [readers.reader(), readers.reader()])
    for (let i = 0; i < 4; i++) void outcome(hostile.read('page', pageOf(MANY_ATTRIBUTES), never)).then(() => ended++);
  const ordinary = readers.reader();
  for (let i = 0; i < 5; i++) expect((await ordinary.read('page', pageOf('<p>fine'), never)).text).toContain('fine');
  expect(ended).toBe(0);
}, 600_000);

test('an aborted job rejects with the reason, whether running or waiting', async () => {
  const reader = open({ timeoutMs: 600_000, quickMs: 500 }).reader();
  const [first, second] = [new AbortController(), new AbortController()];
  const underWay = outcome(reader.read('page', pageOf(MANY_ATTRIBUTES), first.signal));
  const waiting = outcome(reader.read('page', pageOf(MANY_ATTRIBUTES), second.signal));
  second.abort('not wanted');
  expect(await waiting).toBe('not wanted');
  const next = reader.read('page', pageOf('<p>fine'), never);
  first.abort('lease lost');
  expect(await underWay).toBe('lease lost');
  expect((await next).text).toContain('fine');
});

test('closing rejects running and waiting jobs', async () => {
  const readers = open({ timeoutMs: 600_000, quickMs: 600_000 });
  const jobs = [1, 2].map(() => outcome(readers.reader().read('page', pageOf(MANY_ATTRIBUTES), never)));
  await readers.close();
  for (const job of jobs) expect(await job).toBeInstanceOf(Error);
  expect(await outcome(readers.reader().read('page', pageOf(''), never))).toEqual(new Error('The readers are closed.'));
});
