import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { receiver } from './testing/receivers.ts';
import { eventsOf, webhookWorld } from './testing/world.ts';

const w = webhookWorld();
const ROOT = new URL('../../../../', import.meta.url);

async function sample(): Promise<string> {
  const page = await readFile(new URL('docs/webhooks.md', ROOT), 'utf8');
  return /^```js\n([\s\S]*?)^```$/m.exec(page)![1]!;
}

/** A port that is free. */
async function freePort(): Promise<string> {
  const { url, close } = await receiver();
  await close();
  return new URL(url).port;
}

test('the receiver of the manual accepts what is delivered, each event once, and refuses what is not signed', async () => {
  const replica = await w.replica();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { account, id, secret } = await w.subscribed(replica, { url });
  const env = { ...process.env, PORT: port, WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, ['--input-type=module', '-e', await sample()], {
    ...{ cwd: fileURLToPath(ROOT), env, stdio: ['ignore', 'pipe', 'inherit'] },
  });
  try {
    let printed = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    const events = eventsOf(account, ['a', 'a', 'b']);
    await replica.events.append(account, events);
    await w.isIdle(account);
    const { items } = await w.as(account, replica)('listDeliveries', {
      ...{ webhookId: id, states: [], limit: 0, nextCursor: '' },
    });
    await w.as(account, replica)('redeliverEvent', { webhookId: id, id: items![0]!.id });
    await until(() => printed.split('\n').length === 4);
    expect(printed.trim().split('\n').sort()).toEqual(
      events.map(({ data }) => `chat.begun ${JSON.stringify(data)}`).sort(),
    );
    expect((await fetch(url, { method: 'POST', body: '{"type":"chat.begun"}' })).status).toBe(400);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});
