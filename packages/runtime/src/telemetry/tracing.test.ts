import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createLog } from '../log.ts';
import { startTracing } from './start-tracing.ts';
import { activeHeaders, beginSpan, isTraced, traced } from './tracing.ts';

test.each([
  {},
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_EXPORTER: 'none' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' },
])('with %j nothing is traced', async (variables) => {
  expect(await startTracing(variables)).toBeUndefined();
  expect(isTraced()).toBe(false);
  await traced('work', {}, async ({ headers }) => expect([headers, activeHeaders()]).toEqual([{}, {}]));
});

test('a log line names the trace that it is part of, and what fails is recorded without its message', async () => {
  const bodies: string[] = [];
  const collector = createServer(async (request, response) => {
    for await (const part of request) bodies.push(String(part));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const end = await startTracing(process.env);
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const lines: string[] = [];
  const destination = new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) });
  const log = createLog('test', 'info', 'json', destination);
  const trace = 'a'.repeat(32);
  const from = { traceparent: `00-${trace}-${'b'.repeat(16)}-01` };
  const failing = traced('work', { from }, async () => {
    log.info('within');
    throw new TypeError('a secret');
  });
  await expect(failing).rejects.toThrow('a secret');
  log.info('after');
  expect(lines.map((line) => JSON.parse(line).trace_id)).toEqual([trace, undefined]);
  expect(beginSpan('other', { from }).headers['traceparent']).toMatch(`00-${trace}-`);
  await end!();
  expect(isTraced()).toBe(false);
  expect(bodies.join('')).toContain('TypeError');
  expect(bodies.join('')).not.toContain('a secret');
  await new Promise((resolve) => collector.close(resolve));
});
