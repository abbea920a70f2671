import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { createTransport } from 'nodemailer';
import { must } from './api.ts';
import { type World, world } from './world.ts';

let w: World;
let alias = 0;
beforeAll(async () => {
  w = await world({ embeddings: 'none', variables: { MAIL_TRUSTED: '127.0.0.0/8' } });
});
afterAll(() => w.stop());

const client = () => createTransport({ host: '127.0.0.1', port: w.parley.mail.port, ignoreTLS: true });
const domain = () => w.parley.mail.domain;

async function inbox() {
  const name = `support-${++alias}`;
  const made = must(await w.a.api.post<{ id: string }>('/email-inboxes', { alias: name, title: 'Support' }));
  return { ...made, path: `/email-inbox/${made.id}`, address: `${name}@${domain()}` };
}

const send = (to: string, more: object = {}) =>
  client().sendMail({ from: 'Ann <ann@example.com>', to, subject: 'My lamp', text: 'It flickers.', ...more });

interface Email {
  id: string;
  subject: string;
}

const emailsIn = async (path: string) => must(await w.a.api.get<{ items: Email[] }>(`${path}/emails`)).items;

/** What was sent to an address, as it would have left. */
async function sentTo(address: string): Promise<string[]> {
  const files = await readdir(join(w.dataDir, 'outbox')).catch(() => []);
  const mails = files
    .filter((file) => file.endsWith('.eml'))
    .map((file) => readFile(join(w.dataDir, 'outbox', file), 'utf8'));
  return (await Promise.all(mails)).filter((mail) => new RegExp(`^To: .*${address}`, 'm').test(mail));
}

test('a mail opens an email, the owner’s reply goes out once, and the answer to it comes back into the same conversation', async () => {
  const { path, address } = await inbox();
  await send(address, { from: 'Ann <round-trip@example.com>' });
  const [email] = await emailsIn(path);
  expect(email).toMatchObject({ subject: 'My lamp', from_email: 'round-trip@example.com', status: 'open' });
  must(await w.a.api.post(`${path}/emails/${email!.id}/reply`, { message: 'Change the bulb.' }));
  await until(async () => (await sentTo('round-trip@example.com')).length === 1);
  const [reply] = await sentTo('round-trip@example.com');
  expect(reply).toMatch(/^Subject: Re: My lamp\r$/m);
  expect(reply).toMatch(/^In-Reply-To: </m);
  expect(reply).toContain('Change the bulb.');
  const [, to] = /^Reply-To:\s+(reply\+\S+)/m.exec(reply!)!;
  await send(to!, {
    from: 'Ann <other@example.net>',
    text: 'Done, thanks.\n\nOn Monday, Support <s@x.example> wrote:\n> Change the bulb.',
  });
  const { conversation } = must(
    await w.a.api.get<{ conversation: { message: string }[] }>(`${path}/emails/${email!.id}`),
  );
  expect(conversation.map(({ message }) => message)).toEqual([
    ...['It flickers.', 'Change the bulb.', 'Done, thanks.'],
  ]);
  expect(await emailsIn(path)).toHaveLength(1);
});

test('the same mail twice is stored once', async () => {
  const { path, address } = await inbox();
  for (let i = 0; i < 2; i++) await send(address, { messageId: '<twice@example.com>', html: '<p>It flickers.' });
  expect(await emailsIn(path)).toHaveLength(1);
});

test.each([
  ['another domain', (_: string) => 'ann@example.org', /relay/],
  ['an unknown inbox', (_: string) => `nobody@${w.parley.mail.domain}`, /no such mailbox/],
  ['a token that is not ours', (_: string) => `reply+${'0'.repeat(48)}@${w.parley.mail.domain}`, /no such mailbox/],
])('mail to %s is refused', async (_, to, says) => {
  await expect(send(to(''))).rejects.toMatchObject({ responseCode: 550, response: expect.stringMatching(says) });
});

test('a blocked sender is refused', async () => {
  const { path, address } = await inbox();
  const from = 'eve@example.com';
  await send(address, { from });
  const [{ id } = {} as Email] = await emailsIn(path);
  must(await w.a.api.put(`${path}/emails/${id}/block`));
  await expect(send(address, { from })).rejects.toMatchObject({ responseCode: 550 });
  await expect(
    send(address, { envelope: { from: 'relay@example.org', to: address }, from, text: 'Again.' }),
  ).rejects.toMatchObject({ responseCode: 550 });
  expect(await emailsIn(path)).toHaveLength(1);
});
