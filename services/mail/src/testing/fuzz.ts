/**
 * Sends damaged mails to a mail service, for ten minutes or as many as the argument says. Each has to be answered, the service
 * has to stay, and its memory flat. Exits with 1 otherwise.
 *
 *     npm run fuzz:mail -- 10
 */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { createTransport } from 'nodemailer';
import { startMailOnFiles } from './mail-on-files.ts';

const MINUTE_MS = 60_000;
const AT_ONCE = 5;
/** Memory in the last third may be this many times the median of the second, which is free of warming up. */
const GROWTH = 1.15;
const CORPUS = fileURLToPath(new URL('../../../../packages/reading/src/mail/testing/mails/', import.meta.url));

const minutes = Number(process.argv[2] ?? 10);
const files = readdirSync(CORPUS).map((file) => readFileSync(join(CORPUS, file)));
const damage = fc.record({
  at: fc.nat(3_000),
  with: fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc
      .constantFrom('\r\n\r\n', '\0', '--b\r\n', 'Content-Type: multipart/mixed; boundary="b"\r\n', '=?utf-8?q?=')
      .map((text) => Buffer.from(text)),
  ),
  cut: fc.nat(60),
  times: fc.constantFrom(1, 1, 1, 300),
});
const mails = fc
  .tuple(fc.constantFrom(...files), fc.array(damage, { maxLength: 6 }))
  .map(([file, damages]) =>
    damages.reduce(
      (raw, { at, with: bytes, cut, times }) =>
        Buffer.concat([raw.subarray(0, at), ...Array<Uint8Array>(times).fill(bytes), raw.subarray(at + cut)]),
      file as Buffer,
    ),
  );

const dir = await mkdtemp(join(tmpdir(), 'parley-fuzz-'));
const service = await startMailOnFiles(dir, async () => {}, { connections: 1_000, perMinute: 1_000_000_000 });
const client = createTransport({
  ...{ host: '127.0.0.1', port: service.port(), ignoreTLS: true, pool: true, maxConnections: AT_ONCE },
  maxMessages: Infinity,
});
const replies = new Map<string, number>();
const memory: number[] = [];
const end = performance.now() + minutes * MINUTE_MS;
let seed = Date.now() % 2 ** 31;
process.stdout.write(`seed ${seed}\n`);

async function send(): Promise<void> {
  while (performance.now() < end) {
    for (const raw of fc.sample(mails, { numRuns: 20, seed: seed++ })) {
      const envelope = { from: 'ann@example.com', to: 'support@parley.example' };
      const reply = await client.sendMail({ raw, envelope }).then(
        ({ response }) => response.slice(0, 3),
        ({ responseCode, message }) => String(responseCode ?? message),
      );
      replies.set(reply, (replies.get(reply) ?? 0) + 1);
    }
    memory.push(process.memoryUsage().rss);
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, send));
client.close();
await service.stop();
await rm(dir, { recursive: true, force: true });

const third = Math.ceil(memory.length / 3);
const median = (some: number[]) => some.toSorted((a, b) => a - b)[Math.floor(some.length / 2)]!;
const growth = median(memory.slice(2 * third)) / median(memory.slice(third, 2 * third));
const odd = [...replies.keys()].filter((reply) => !/^(250|550|552)$/.test(reply));
process.stdout.write(
  `replies ${JSON.stringify(Object.fromEntries(replies))}\nmemory of the last third: ${growth.toFixed(2)} of the second\n`,
);
if (odd.length > 0 || growth > GROWTH) {
  process.stdout.write(`NOT MET: no reply but 250, 550 and 552, and memory at most ${GROWTH}\n`);
  process.exit(1);
}
process.exit(0);
