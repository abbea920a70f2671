import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import { ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { runSeedProgram } from './seed-program.ts';
import { assistants, call, conversations, system, threadDocs } from './testing/assistants.ts';

const { TICKET, EMAIL } = ThreadKind;
const account = randomId();
const other = randomId();
let form: { id: string; publicId: string };
let inbox: { id: string; alias: string };
beforeAll(async () => {
  form = (await assistants.createTicketForm({ title: 'Form' }, call({ account }).onward())).ticketForm!;
  const mail = { alias: 'help', title: 'Help' };
  inbox = (await assistants.createEmailInbox(mail, call({ account: other }).onward())).emailInbox!;
});

const ticket = (more: object = {}) => ({
  kind: 'ticket',
  parent: { id: form.id },
  email: 'ann@example.com',
  message: 'Why?',
  ...more,
});

/** Gathers what is written; takes its time, as a pipe does. */
function sink() {
  const written: string[] = [];
  const stream = new Writable({
    highWaterMark: 64,
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      setImmediate(done);
    },
  });
  return { stream, lines: () => written.join('').split('\n').slice(0, -1) };
}

async function seed(input: AsyncIterable<Uint8Array>, find = async () => system()) {
  const [output, errors] = [sink(), sink()];
  const unavailable = 'Nothing answers.';
  const code = await runSeedProgram({ input, output: output.stream, errors: errors.stream, find, unavailable });
  return { code, ids: output.lines(), errors: errors.lines() };
}

async function* chunks(text: string | Uint8Array, bytes = 1_000): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(text);
  for (let from = 0; from < all.length; from += bytes) yield all.subarray(from, from + bytes);
}

const rows = (lines: readonly unknown[]) => chunks(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

const listed = async (kind: ThreadKind, assistantId: string, of = account, more: object = {}) =>
  (await conversations.listThreads({ kind, assistantId, limit: 100, ...more }, call({ account: of }).onward())).items;

test('tickets and emails of several accounts are opened by internal id, public id and alias, and their ids printed in order', async () => {
  const lines = [
    ticket({ name: 'Ann', message: '1' }),
    { ...ticket({ subject: 'Hi' }), kind: 'email', parent: { id: 'help' } },
    ticket({ parent: { id: form.publicId }, name: null, subject: null, extra: true }),
    { ...ticket(), kind: 'email', parent: { id: inbox.id } },
  ];
  const { code, ids, errors } = await seed(rows(lines));
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  const tickets = await listed(TICKET, form.id);
  expect(tickets.map(({ id }) => id)).toEqual([ids[2], ids[0]]);
  expect(tickets[1]).toMatchObject({ fromName: 'Ann', fromEmail: 'ann@example.com' });
  const emails = await listed(EMAIL, inbox.id, other);
  expect(emails.map(({ id, subject }) => [id, subject])).toEqual([
    [ids[3], ''],
    [ids[1], 'Hi'],
  ]);
});

test('many lines of one form are listed in their order, however they are cut into chunks, without a last line break', async () => {
  const { id: parent } = (await assistants.createTicketForm({ title: 'Many' }, call({ account }).onward())).ticketForm!;
  const lines = Array.from({ length: 40 }, (_, i) =>
    JSON.stringify(ticket({ parent: { id: parent }, message: `é ${i}` })),
  );
  const { code, ids } = await seed(chunks(lines.join(' \r\n\n'), 7));
  expect(code).toBe(0);
  expect((await listed(TICKET, parent)).map(({ id }) => id)).toEqual(ids.toReversed());
});

test.each<[string, string, string | Uint8Array | (() => unknown)]>([
  ['no JSON', 'it is not JSON in UTF-8.', '{"kind": "ticket",'],
  ['invalid UTF-8', 'it is not JSON in UTF-8.', Buffer.from([0x22, 0xff, 0x22])],
  ['no object', 'it must be a JSON object.', '[]'],
  ['a very long line', 'it has more than 262,144 bytes.', `"${'x'.repeat(300_000)}"`],
  ['no kind', 'kind must be ticket or email.', () => ticket({ kind: undefined })],
  ['another kind', 'kind must be ticket or email.', () => ticket({ kind: 'chat' })],
  ['no parent', 'parent must be an object with an id.', () => ticket({ parent: undefined })],
  ['a parent without an id', 'parent.id must be text.', () => ticket({ parent: {} })],
  ['an unknown parent', 'parent.id: There is no such ticket form.', () => ticket({ parent: { id: randomId() } })],
  ['a parent of the other kind', 'parent.id: There is no such', () => ({ ...ticket(), kind: 'email' })],
  ['no address', 'email must be text.', () => ticket({ email: undefined })],
  ['a wrong address', 'email must be an email address such as', () => ticket({ email: 'ann@' })],
  ['a long name', 'name must have at most 200 characters.', () => ticket({ name: 'n'.repeat(201) })],
  ['a subject of two lines', 'subject must not have line breaks.', () => ticket({ subject: 'a\nb' })],
  ['a subject that is no text', 'subject must be text.', () => ticket({ subject: 7 })],
  ['a blank message', 'message must not be blank.', () => ticket({ message: ' ' })],
  ['a long message', 'message must have at most 10,000 characters.', () => ticket({ message: 'm'.repeat(10_001) })],
])('%s is refused by line and field: all before it is opened, and nothing after it', async (_, reason, wrong) => {
  const parent = (await assistants.createTicketForm({ title: 'Form' }, call({ account }).onward())).ticketForm!;
  const good = JSON.stringify(ticket({ parent: { id: parent.id } }));
  const line = typeof wrong === 'function' ? JSON.stringify(wrong()) : wrong;
  const input = Buffer.concat([good, '\n', '\n', good, '\n', line, '\n', good, '\n'].map((part) => Buffer.from(part)));
  const { code, ids, errors } = await seed(chunks(input, 100_000));
  expect(code).toBe(1);
  expect(errors).toEqual([expect.stringContaining(`Line 4: ${reason}`)]);
  expect((await listed(TICKET, parent.id)).map(({ id }) => id)).toEqual(ids.toReversed());
  expect(ids).toHaveLength(2);
});

test('a blocked address ends it, and no later line of the form is opened', async () => {
  const { ids } = await seed(rows([ticket({ email: 'eve@example.com' })]));
  const thread = { kind: TICKET, assistantId: form.id, id: ids[0]! };
  await conversations.blockThread({ thread }, call({ account }).onward());
  const before = await threadDocs.countDocuments({ account });
  const refused = await seed(rows([ticket(), ticket({ email: 'Eve@example.com' }), ...Array(30).fill(ticket())]));
  expect(refused).toMatchObject({ code: 1, errors: ['Line 2: This conversation is blocked.'] });
  expect(refused.ids).toHaveLength(1);
  expect(await threadDocs.countDocuments({ account })).toBe(before + 1);
});

test('without a running system it says so', async () => {
  expect(await seed(rows([ticket()]), async () => undefined as never)).toEqual({
    code: 1,
    ids: [],
    errors: ['Nothing answers.'],
  });
  const nowhere = { ...system(), conversations: '127.0.0.1:1' };
  expect(await seed(rows([ticket()]), async () => nowhere)).toMatchObject({
    code: 1,
    ids: [],
    errors: [expect.stringMatching(/^Line 1: .* Nothing answers\.$/)],
  });
});

test('in the pod of the assistants service it finds that service by its own port, and names a missing setting', async () => {
  const run = async (variables: Record<string, string>) => {
    const program = fileURLToPath(new URL('./seed.ts', import.meta.url));
    const env = { ...process.env, ...variables };
    const child = spawn(process.execPath, [program], { env, stdio: 'pipe' });
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify(ticket())}\n`);
    const wrote = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text) => {
        wrote[name] += text;
      });
    const [code] = await once(child, 'close');
    return { code, ...wrote };
  };
  const { conversations: CONVERSATIONS_ADDRESS, secret: PARLEY_SECRET, assistants: own } = system();
  const variables = { CONVERSATIONS_ADDRESS, PARLEY_SECRET, RPC_PORT: own.split(':')[1]! };
  const [made, unset] = await Promise.all([run(variables), run({ ...variables, CONVERSATIONS_ADDRESS: '' })]);
  expect(made).toEqual({ code: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/), stderr: '' });
  expect(unset).toEqual({ code: 78, stdout: '', stderr: 'CONVERSATIONS_ADDRESS is not set.\n' });
});
