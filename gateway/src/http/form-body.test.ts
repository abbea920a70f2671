import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { permissionDenied, unavailable } from '@parley/runtime';
import { until } from '@parley/runtime/testing';
import { type World, world } from '../testing/world.ts';

const MIB = 1024 * 1024;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let w: World;
let path: string;
beforeAll(async () => {
  w = await world({ bodyMs: 1_000 });
  const form = (await w.post('/ticket-forms', { title: 'Repairs', allowed_domains: [] })).body.data;
  path = `/public/v1/ticket-forms/${form.public_id}/tickets`;
});
afterAll(() => w.end());
beforeEach(() => {
  w.assistants.state.opened.length = 0;
  w.assistants.state.refusesTickets = undefined;
});

/** The files in the object store, unfinished ones too. */
async function stored() {
  const entries = await readdir(w.dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => `${parentPath}/${name}`);
}

type Part = [name: string, content: string | Uint8Array, filename?: string];

function formOf(parts: Part[]): FormData {
  const form = new FormData();
  for (const [name, content, filename] of parts)
    if (typeof content === 'string' && filename === undefined) form.append(name, content);
    else form.append(name, new Blob([content as Uint8Array<ArrayBuffer>]), filename ?? '');
  return form;
}

async function send(parts: Part[], headers: Record<string, string> = {}) {
  const response = await fetch(`${w.base}${path}`, { method: 'POST', body: formOf(parts), headers });
  return { status: response.status, body: (await response.json()) as { message?: string; data?: { token: string } } };
}

const EMAIL: Part = ['email', 'ann@example.com'];

test('a form with files becomes a ticket that names them, each by what is in it', async () => {
  const before = (await stored()).length;
  const answers = JSON.stringify([{ field_id: '01890a5d-ac96-474b-8cce-b302099a8057', value: ['ä', 'b'] }]);
  const files: Part[] = [
    ['files', PNG, 'lamp.png'],
    ['files', 'It flickers.', 'notes.txt'],
  ];
  expect(await send([EMAIL, ['name', 'Ann'], ['answers', answers], ...files])).toMatchObject({ status: 200 });
  const [opened] = w.assistants.state.opened;
  expect(opened).toMatchObject({
    ...{ email: 'ann@example.com', name: 'Ann', answers: [{ values: ['ä', 'b'] }] },
    attachments: [
      { name: 'lamp.png', type: 'image/png', size: PNG.length },
      { name: 'notes.txt', type: 'text/plain', size: 12 },
    ],
  });
  const kept = await stored();
  expect(kept).toHaveLength(before + 2);
  expect(kept.filter((file) => file.includes(`/${opened!.attachmentsFolder}/`))).toHaveLength(2);
});

test('a form without files may come the same way, also with the empty file that browsers send', async () => {
  const before = await stored();
  expect(await send([EMAIL, ['answers', '[]']])).toMatchObject({ status: 200 });
  expect(await send([EMAIL, ['files', '', '']])).toMatchObject({ status: 200 });
  expect(w.assistants.state.opened.map(({ attachments }) => attachments)).toEqual([[], []]);
  expect(await stored()).toEqual(before);
});

const big = (bytes: number) => Buffer.alloc(bytes, 'x');

test.each<[string, number, RegExp, Part[]]>([
  ['six files', 400, /at most 5 files/, Array(6).fill(['files', PNG, 'a.png'])],
  ['a file of more than 10 MiB', 413, /10 MiB/, [['files', big(10 * MIB + 1), 'a.txt']]],
  ['a type that is not accepted', 400, /"a.png" is of a type/, [['files', randomBytes(100), 'a.png']]],
  ['an empty file', 400, /"a.txt" is empty/, [['files', '', 'a.txt']]],
  ['answers that are no JSON', 400, /answers/, [['answers', '[{']]],
  ['answers that are no list', 400, /answers/, [['answers', '1, "email": "eve@example.com"']]],
  ['text that no store can keep', 400, /name/, [['name', 'a\0b']]],
  ['too much text', 413, /1 MiB/, [['name', 'x'.repeat(MIB + 1)]]],
  ['too many fields', 400, /10 parts/, Array.from({ length: 11 }, (_, i): Part => [`f${i}`, 'x'])],
])('%s: refused, and nothing of it is kept', async (_, status, says, parts) => {
  const before = await stored();
  expect(await send([EMAIL, ['files', PNG, 'first.png'], ...parts.slice(0, 6), ...parts.slice(6)])).toMatchObject({
    status,
    body: { success: false, message: expect.stringMatching(says) },
  });
  await until(async () => (await stored()).length === before.length);
  expect(w.assistants.state.opened).toEqual([]);
});

test('five files are taken, of up to 10 MiB', async () => {
  const files = Array.from({ length: 5 }, (_, i): Part => ['files', big(i > 0 ? 9 : 10 * MIB), 'a.txt']);
  expect(await send([EMAIL, ...files])).toMatchObject({ status: 200 });
});

test('what is refused later leaves no files; of what may have been done, they stay', async () => {
  const before = (await stored()).length;
  expect(await send([['files', PNG, 'a.png']])).toMatchObject({ status: 400 });
  w.assistants.state.refusesTickets = permissionDenied('The address is blocked.');
  expect(await send([EMAIL, ['files', PNG, 'a.png']])).toMatchObject({ status: 403 });
  expect(await stored()).toHaveLength(before);
  w.assistants.state.refusesTickets = unavailable('Away.');
  expect(await send([EMAIL, ['files', PNG, 'a.png']])).toMatchObject({ status: 503 });
  expect(await stored()).toHaveLength(before + 1);
});

test('a repeated form is one ticket and has one set of files; other files are another form', async () => {
  const before = (await stored()).length;
  const headers = { 'idempotency-key': 'a-form-that-is-sent-twice' };
  const first = await send([EMAIL, ['files', PNG, 'a.png']], headers);
  expect(await send([EMAIL, ['files', PNG, 'a.png']], headers)).toEqual(first);
  expect(await send([EMAIL, ['files', 'text', 'a.png']], headers)).toMatchObject({ status: 409 });
  expect(w.assistants.state.opened).toHaveLength(1);
  expect(await stored()).toHaveLength(before + 1);
});

test('a client that breaks off or pauses for too long leaves nothing', async () => {
  const before = (await stored()).length;
  const begin = () => {
    const socket = connect(w.port, '127.0.0.1');
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900\r\n\r\n`;
    const part =
      '--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nHello.\r\n--b\r\nContent-Dis';
    socket.write(`${head}${part}`);
    return socket;
  };
  const broken = begin();
  await until(async () => (await stored()).length === before + 1);
  broken.destroy();
  await until(async () => (await stored()).length === before);
  const paused = begin();
  let received = '';
  paused.on('data', (data) => {
    received += data;
  });
  await until(() => /^HTTP\/1.1 408 /.test(received));
  await until(async () => (await stored()).length === before);
  paused.destroy();
});

test('other bodies are refused as before, and a form where none is expected', async () => {
  const form = formOf([EMAIL]);
  const headers = { 'content-type': 'multipart/form-data' };
  expect((await fetch(`${w.base}${path}`, { method: 'POST', body: 'x', headers })).status).toBe(400);
  expect((await fetch(`${w.base}${path}`, { method: 'POST', body: 'x' })).status).toBe(415);
  const unknown = `${w.base}/public/v1/ticket-forms/AbCdEfGhIjKl/tickets`;
  expect((await fetch(unknown, { method: 'POST', body: form })).status).toBe(404);
});
