import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { startMailOnFiles } from '../testing/mail-on-files.ts';

// Processes start slowly on a busy machine.
jest.setTimeout(90_000);
const PROGRAM = fileURLToPath(new URL('../testing/dying-mail.ts', import.meta.url));
const root = await mkdtemp(join(tmpdir(), 'parley-dying-'));
const kills: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const kill of kills.splice(0)) await kill();
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A mail service in its own process, which stops at a step. */
async function startDying(dir: string, step: string) {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify({ dir, step })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value as string;
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  kills.push(kill);
  const port = Number((await next()).slice('port '.length));
  return { port, reached: next, kill };
}

const MESSAGE = {
  ...{ from: 'ann@example.com', to: 'support@parley.example', subject: 'Lamp', text: 'Why?' },
  ...{ messageId: '<one@example.com>', attachments: [{ filename: 'a.txt', content: 'a' }] },
};
const send = (port: number) => createTransport({ host: '127.0.0.1', port, ignoreTLS: true }).sendMail(MESSAGE);

test.each(['before raw.eml', 'after raw.eml', 'after 0.bin', 'received'])(
  'killed %s, the service has promised nothing, and the sender’s next attempt is the same message',
  async (step) => {
    const dir = join(root, step.replace(/\W/g, '-'));
    const dying = await startDying(dir, step);
    const lost = expect(send(dying.port)).rejects.toThrow();
    expect(await dying.reached()).toBe('reached');
    await dying.kill();
    await lost;
    const next = await startMailOnFiles(dir, async () => {});
    kills.push(() => next.stop());
    expect((await send(next.port())).response).toMatch(/^250 /);
    const received = (await readFile(join(dir, 'received'), 'utf8')).trim().split('\n');
    // Whoever hears of one operation twice stores it once.
    expect(new Set(received).size).toBe(1);
    const [operation] = received[0]!.split(' ');
    const folder = join(dir, 'objects/mail/account/inbox');
    expect(await readdir(folder)).toEqual([operation]);
    expect((await readdir(join(folder, operation!))).sort()).toEqual(['0.bin', 'raw.eml']);
  },
);
