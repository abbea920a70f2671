import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { MongoServerError } from 'mongodb';
import { createLog } from './log.ts';

function capture() {
  const lines: string[] = [];
  const destination = new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) });
  return { lines, log: createLog('test', 'info', 'json', destination) };
}

test('a line names the service, the level and the time', () => {
  const { lines, log } = capture();
  log.child({ request_id: 'r1', account: 'a1' }).warn('slow');
  expect(JSON.parse(lines[0]!)).toMatchObject({
    service: 'test',
    level: 'warn',
    time: expect.stringMatching(/Z$/),
    request_id: 'r1',
    account: 'a1',
    msg: 'slow',
  });
});

test('an error is logged with its causes, but without user data', () => {
  const { lines, log } = capture();
  const refused = new MongoServerError({
    message: 'dup key: { name: "secret" }',
    code: 11000,
    keyValue: { name: 'secret' },
  });
  log.error({ err: new Error('could not store', { cause: Object.assign(refused, { request: 'secret' }) }) });
  expect(lines[0]).toContain('could not store');
  expect(lines[0]).toContain('11000');
  expect(lines[0]).not.toContain('secret');
});
