import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { createTransport } from 'nodemailer';
import { must } from './api.ts';
import type { Thread, TicketForm } from './resources.ts';
import { publicApi } from './visitor.ts';
import { type World, world } from './world.ts';

let w: World;
let alias = 0;
beforeAll(async () => {
  w = await world({ embeddings: 'none', variables: { MAIL_TRUSTED: '127.0.0.0/8', AI_QUIET_SECONDS: '1' } });
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

/** Returns the mails to an address, as they would have left. */
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

const QUESTION = 'How long are repairs free of charge?';

/** An inbox whose knowledge answers the question. */
async function knowing(ai_reply: 'auto' | 'draft') {
  const made = await inbox();
  const faq = await w.a.faq('Repairs', { [QUESTION]: 'Repairs are free of charge for two years.' });
  await w.a.train(faq);
  must(await w.a.api.put(`${made.path}/knowledge`, { knowledge_id: faq.id }));
  must(await w.a.api.patch(made.path, { ai_reply, notify: ['owner@example.com'] }));
  return made;
}

const readEmail = async (path: string) => {
  const [{ id } = {} as Email] = await emailsIn(path);
  const at = `${path}/emails/${id}`;
  return { at, ...must(await w.a.api.get<Thread>(at)) };
};

test('where the owner lets it, the AI answers a burst of mails once, by one mail', async () => {
  const { path, address } = await knowing('auto');
  const from = 'Ann <burst@example.com>';
  const first = await send(address, { from, text: 'Hello, my lamp flickers.' });
  await send(address, { from, text: QUESTION, inReplyTo: first.messageId, references: first.messageId });
  const email = await until(
    () => readEmail(path),
    ({ ai }) => ai === 'answered',
  );
  expect(email.conversation!.map(({ role }) => role)).toEqual(['user', 'user', 'assistant']);
  expect(email.conversation!.at(-1)!.message).toContain('two years');
  await until(async () => (await sentTo('burst@example.com')).length > 0);
  const [answer, ...more] = await sentTo('burst@example.com');
  expect(more).toEqual([]);
  expect(answer).toMatch(/^Auto-Submitted: auto-replied\r$/m);
  expect((await readEmail(path)).conversation!.at(-1)).toMatchObject({ delivery: { state: 'sent' } });
});

test('otherwise the owner hears of a draft, and it goes out when the owner sends it', async () => {
  const { path, address } = await knowing('draft');
  await send(address, { from: 'Ann <draft@example.com>', text: QUESTION });
  const { at } = await until(
    () => readEmail(path),
    ({ ai }) => ai === 'draft',
  );
  await until(async () => (await sentTo('owner@example.com')).length >= 2);
  expect(await sentTo('draft@example.com')).toEqual([]);
  must(await w.a.api.post(`${at}/draft/send`));
  await until(async () => (await sentTo('draft@example.com')).length === 1);
});

const fileAt = (path: string) =>
  fetch(`${w.parley.baseUrl}/v1${path}`, { headers: { authorization: `Bearer ${w.a.key}` } });

test('what a mail was is read as it came, with its attachments, by keys of the account only', async () => {
  const { path, address } = await inbox();
  const attachments = [{ filename: 'lamp "1".html', content: '<script>alert(1)</script>' }];
  await send(address, { from: 'raw@example.com', attachments });
  const { at, conversation } = await readEmail(path);
  const { mail } = conversation![0]!;
  expect(mail).toMatchObject({ from_email: 'raw@example.com', authenticated: true, automatic: false });
  const raw = await fileAt(`${at}/raw?message_id=${mail!.id}`);
  expect(await raw.text()).toContain('Subject: My lamp');
  expect(raw.headers.get('content-type')).toBe('message/rfc822');
  const [attachment] = mail!.attachments;
  const file = await fileAt(`${at}/attachments/${attachment!.id}`);
  expect(await file.text()).toBe('<script>alert(1)</script>');
  expect(file.headers.get('content-type')).toBe('application/octet-stream');
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; /);
  expect((await w.b.api.get(`${at}/raw`)).status).toBe(403);
  expect((await w.a.api.get(`${at}/raw?message_id=${attachment!.id}`)).status).toBe(404);
});

const anonymous = () => publicApi(w.parley.baseUrl);
const decoded = (mail: string) =>
  mail.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => Buffer.from(hex, 'hex').toString('latin1'));

/** Opens a ticket as a page of the gateway does; its token is the one in the mail. */
async function ticket(email: string) {
  const form = must(await w.a.api.post<TicketForm>('/ticket-forms', { title: 'Repairs' }));
  const at = `/public/v1/ticket-forms/${form.public_id}/tickets`;
  const { id } = must(await anonymous().post<{ id: string }>(at, { email, answers: [] }));
  const [mail] = await until(
    () => sentTo(email),
    (mails) => mails.length > 0,
  );
  const [, token] = new RegExp(`/form/${form.public_id}#([\\w-]+)`).exec(decoded(mail!))!;
  return { form, mail: mail!, path: `/ticket-form/${form.id}/tickets/${id}`, own: `/public/v1/tickets/${token}` };
}

test('the link to a ticket is mailed to its address; what is replied to that mail, or written behind the link, is in the ticket', async () => {
  const { mail, path, own } = await ticket('form@example.com');
  expect(mail).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  const [, to] = /^Reply-To:\s+(reply\+\S+)/m.exec(mail)!;
  await send(to!, { from: 'Ann <form@example.com>', text: 'By mail.' });
  must(await anonymous().post(`${own}/messages`, { message: 'By link.' }));
  must(await w.a.api.post(`${path}/reply`, { message: 'Both are here.' }));
  const { conversation } = must(await anonymous().get<Thread>(own));
  expect(conversation!.slice(1).map(({ message }) => message)).toEqual(['By mail.', 'By link.', 'Both are here.']);
  const mails = await until(
    () => sentTo('form@example.com'),
    (all) => all.length === 2,
  );
  expect(decoded(mails.join(''))).toContain('Both are here.');
  const raw = await fileAt(`${path}/raw`);
  expect(await raw.text()).toContain('By mail.');
});

test('a revoked link shows nothing more, and the next mail has one that does', async () => {
  const { form, path, own } = await ticket('revoked@example.com');
  must(await w.a.api.del(`${path}/link`));
  expect((await anonymous().get(own)).status).toBe(404);
  expect((await anonymous().post(`${own}/messages`, { message: 'Hello?' })).status).toBe(404);
  must(await w.a.api.post(`${path}/reply`, { message: 'Here is another.' }));
  const mails = await until(
    () => sentTo('revoked@example.com'),
    (all) => all.length === 2,
  );
  const reply = decoded(mails.find((mail) => mail.includes('Here is another.'))!);
  const [, token] = new RegExp(`/form/${form.public_id}#([\\w-]+)`).exec(reply)!;
  expect((await anonymous().get(`/public/v1/tickets/${token}`)).status).toBe(200);
});

test('files of a form are the ticket’s attachments, which its account alone downloads, and no browser shows', async () => {
  const form = must(await w.a.api.post<TicketForm>('/ticket-forms', { title: 'Repairs' }));
  const body = new FormData();
  body.append('email', 'files@example.com');
  body.append('answers', '[]');
  body.append('files', new Blob(['It flickers.']), 'lamp.html');
  const at = `${w.parley.baseUrl}/public/v1/ticket-forms/${form.public_id}/tickets`;
  const { data } = (await (await fetch(at, { method: 'POST', body })).json()) as { data: { id: string } };
  const path = `/ticket-form/${form.id}/tickets/${data.id}`;
  const { conversation } = must(await w.a.api.get<Thread>(path));
  expect(conversation![0]).toMatchObject({ message: 'Repairs', attachments: [{ name: 'lamp.html.txt', size: 12 }] });
  const file = `${path}/attachments/${conversation![0]!.attachments![0]!.id}`;
  const served = await fileAt(file);
  expect(await served.text()).toBe('It flickers.');
  expect(served.headers.get('content-disposition')).toMatch(/^attachment; filename="lamp.html.txt"/);
  expect(served.headers.get('content-type')).toBe('application/octet-stream');
  expect((await w.b.api.get(file)).status).toBe(403);
});

test('whoever writes to the address that a notice names hears no more of that inbox', async () => {
  const { path, address } = await inbox();
  const notify = ['stays@example.com', 'leaves@example.com'];
  must(await w.a.api.patch(path, { notify }));
  await send(address, { from: 'notice@example.com' });
  const [notice] = await until(
    () => sentTo('leaves@example.com'),
    (all) => all.length > 0,
  );
  const [, leave] = /^List-Unsubscribe: <mailto:([^?>]+)/m.exec(notice!.replace(/\r\n[ \t]+/g, ' '))!;
  await send(leave!, { from: 'leaves@example.com', subject: 'unsubscribe', text: '' });
  expect(must(await w.a.api.get(path))).toMatchObject({ notify: ['stays@example.com'] });
  await expect(send(`leave+${'0'.repeat(48)}@${domain()}`)).rejects.toMatchObject({ responseCode: 550 });
  const [, back] = /^Return-Path|^From: .*<(\S+)>/m.exec(notice!)!;
  await expect(send(back!)).rejects.toMatchObject({ responseCode: 550 });
});
