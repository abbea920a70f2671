import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { KnowledgeItem, NewDocument, Page } from '../e2e/resources.ts';
import { expectData, expectFields, expectRefused, RUNNING, SOURCE, TRAINED, UNTRAINED, UUID } from './check.ts';
import { eachClass } from './classes.ts';
import { ACCEPTED, FILE_TYPES, FILES, type FileName } from './files.ts';
import { a, b, bare, baseUrl, mine, storesNothing } from './given.ts';

const { api } = a;
const MAX_BYTES = 52_428_800;

const create = async (file_type = 'text/plain', more: object = {}) =>
  must(await api.post<NewDocument>('/knowledge/document', { file_type, ...more }));

/** Uploads without a key: the address is signed. */
async function upload(url: string, body: RequestInit['body'], headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: 'PUT', body: body!, headers, duplex: 'half' } as RequestInit);
  const text = await response.text();
  return { status: response.status, body: text && JSON.parse(text) };
}
const finalize = (id: string, method = 'POST') =>
  api.request<KnowledgeItem & { document_url: string }>(method, `/knowledge/${id}/finalize`);
const identity = (id: string) => ({ id, type: 'document', document_url: `${baseUrl}/knowledge/${id}/file` });

async function finalized(file: FileName = 'text', type = 'text/plain', more: object = {}) {
  const made = await create(type, more);
  expect((await upload(made.upload_url, FILES[file])).status).toBe(200);
  must(await finalize(made.id));
  return made;
}

const read = (url: string, key: string | undefined, method = 'GET') =>
  fetch(url, { method, headers: key === undefined ? {} : { authorization: `Bearer ${key}` } });

describe('a document', () => {
  test('has the right fields through its three steps, when read, listed, trained and deleted', async () => {
    const made = expectData(
      await api.post<NewDocument>('/knowledge/document', { file_type: 'text/plain', file_name: 'tea.txt' }),
      { id: UUID, upload_url: expect.stringMatching(/^https?:\/\//) },
    );
    const at = `/knowledge/${made.id}`;
    expectFields(must(await api.get(at)), { id: made.id, type: 'document', ...UNTRAINED }, ['document_url']);
    const answer = await upload(made.upload_url, FILES.text);
    expect(answer).toEqual({ status: 200, body: expect.objectContaining({ success: true }) });
    expectData(await finalize(made.id), identity(made.id));
    expectData(await api.get(at), { ...identity(made.id), ...UNTRAINED });
    const { items } = must(await api.get<Page<KnowledgeItem>>('/knowledge?limit=1'));
    expect(items[0]).toEqual({ ...identity(made.id), ...UNTRAINED });
    expectData(await api.put(`${at}/train`), { ...identity(made.id), ...RUNNING });
    expect(await a.settled(made)).toEqual({ ...identity(made.id), ...TRAINED });
    expect(await api.all(`${at}/sources`)).toEqual([
      { ...SOURCE, type: 'part', name: 'line 1', title: 'tea.txt, line 1' },
    ]);
    expectData(await api.del(at), identity(made.id));
    expectRefused(await api.get(at), 404);
    expectRefused(await finalize(made.id), 404);
    expectRefused(await api.get(`${at}/file`), 404);
  });

  test('is finalized by POST and by GET, and again with the same answer', async () => {
    const made = await create();
    await upload(made.upload_url, FILES.text);
    for (const method of ['GET', 'POST', 'GET', 'POST']) expectData(await finalize(made.id, method), identity(made.id));
  });

  test('has an absolute upload address at the gateway, which needs no key', async () => {
    const { upload_url } = await create();
    expect(new URL(upload_url).origin).toBe(new URL(baseUrl).origin);
  });

  test('may be uploaded again until it is finalized; the last upload counts', async () => {
    const made = await create();
    for (const text of ['first', 'second', 'third']) expect((await upload(made.upload_url, text)).status).toBe(200);
    must(await finalize(made.id));
    expect(await (await read(identity(made.id).document_url, a.key)).text()).toBe('third');
    const late = await upload(made.upload_url, 'fourth');
    expect(late).toMatchObject({ status: 409, body: { success: false, message: expect.any(String) } });
    expect(await (await read(identity(made.id).document_url, a.key)).text()).toBe('third');
  });

  test.each<Record<string, string>>([
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json' },
    { 'content-type': 'application/octet-stream' },
    { 'content-type': 'nonsense' },
    { 'content-type': 'multipart/form-data; boundary=x' },
  ])('is uploaded with the headers %j', async (headers) => {
    const made = await create();
    expect((await upload(made.upload_url, FILES.text, headers)).status).toBe(200);
    must(await finalize(made.id));
  });

  test('is listed although nothing was uploaded, and can be deleted', async () => {
    const { id } = await create();
    expect(must(await api.get<Page<KnowledgeItem>>('/knowledge?limit=1')).items[0]).toMatchObject({
      id,
      type: 'document',
    });
    expectRefused(await api.put(`/knowledge/${id}/train`), 400);
    expect(must(await api.del(`/knowledge/${id}`))).toMatchObject({ id, type: 'document' });
  });

  test('cannot be uploaded after it was deleted, or with a changed address', async () => {
    const { id, upload_url } = await create();
    const other = await create();
    const changed = [
      upload_url.slice(0, -1) + (upload_url.endsWith('A') ? 'B' : 'A'),
      upload_url.replace(id, other.id),
      upload_url.split('?')[0]!,
    ].filter((url) => url !== upload_url);
    for (const url of changed) {
      const refused = await upload(url, FILES.text);
      expect([url, [400, 401, 403, 404, 405].includes(refused.status)]).toEqual([url, true]);
      expect(refused.body).toEqual({ success: false, message: expect.any(String) });
    }
    must(await api.del(`/knowledge/${id}`));
    expect((await upload(upload_url, FILES.text)).status).toBe(404);
    expectRefused(await finalize(other.id), 400);
  });

  test('cannot be attached', async () => {
    expectRefused(await api.put(`/chatbot/${mine.ids.chatbot}/knowledge`, { knowledge_id: mine.ids.document }), 400);
  });
});

describe('the request for a document', () => {
  storesNothing(['/knowledge'], () => {
    test.each([
      'application/json',
      'image/png',
      'pdf',
      'text/html',
      'APPLICATION/PDF',
      'text/plain; charset=utf-8',
      ' text/plain',
    ])('with the type %p is refused', async (file_type) => {
      expectRefused(await api.post('/knowledge/document', { file_type }), 400, 'file_type');
    });
    test.each([7, true, {}, ['a.txt']])('with the name %p is refused', async (file_name) => {
      expectRefused(await api.post('/knowledge/document', { file_type: 'text/plain', file_name }), 400, 'file_name');
    });
  });

  test.each(FILE_TYPES)('with the type %s and a null name is accepted', async (file_type) => {
    expect((await api.post('/knowledge/document', { file_type, file_name: null })).status).toBe(200);
  });
});

const SAMPLES = FILE_TYPES.flatMap((type) => (Object.keys(FILES) as FileName[]).map((file) => ({ type, file })));

describe('finalizing', () => {
  test.each(eachClass(SAMPLES, ({ type, file }) => `${type} ${ACCEPTED[type].includes(file)}`))(
    '$type with $file',
    async ({ type, file }) => {
      const { id, upload_url } = await create(type);
      expect((await upload(upload_url, FILES[file])).status).toBe(200);
      if (ACCEPTED[type].includes(file)) {
        expectData(await finalize(id), identity(id));
        return;
      }
      expectRefused(await finalize(id), 400);
      expectRefused(await finalize(id, 'GET'), 400);
      expectRefused(await api.put(`/knowledge/${id}/train`), 400);
      // The right file may still be uploaded.
      expect((await upload(upload_url, FILES[ACCEPTED[type][0]!])).status).toBe(200);
      must(await finalize(id));
    },
  );

  test.each(FILE_TYPES)('%s without an upload, or with an empty one, is refused', async (type) => {
    const { id, upload_url } = await create(type);
    expectRefused(await finalize(id), 400);
    await upload(upload_url, '');
    expectRefused(await finalize(id), 400);
    expectRefused(await finalize(id, 'GET'), 400);
  });
});

describe('an upload', () => {
  test('of exactly 50 MiB is accepted', async () => {
    const { id, upload_url } = await create();
    expect((await upload(upload_url, new Uint8Array(MAX_BYTES).fill(0x61))).status).toBe(200);
    must(await finalize(id));
    const response = await read(identity(id).document_url, a.key);
    expect((await response.arrayBuffer()).byteLength).toBe(MAX_BYTES);
    must(await api.del(`/knowledge/${id}`));
  });

  test('of one byte more is a 413, and nothing of it is kept, with a length or chunked', async () => {
    const tooMuch = new Uint8Array(MAX_BYTES + 1).fill(0x61);
    for (const body of [tooMuch, new Blob([tooMuch]).stream()]) {
      const { id, upload_url } = await create();
      const { status } = await upload(upload_url, body).catch(closedEarly);
      expect(status).toBe(413);
      expectRefused(await finalize(id), 400);
    }
  });

  test('that is too large leaves the upload before it', async () => {
    const { id, upload_url } = await create();
    await upload(upload_url, 'kept');
    expect((await upload(upload_url, new Uint8Array(MAX_BYTES + 1)).catch(closedEarly)).status).toBe(413);
    must(await finalize(id));
    expect(await (await read(identity(id).document_url, a.key)).text()).toBe('kept');
  });

  /** Some clients lose the response when the server closes the connection before it has read everything. */
  const closedEarly = (error: Error & { cause?: { code?: string } }) => {
    if (!/EPIPE|ECONNRESET|UND_ERR_SOCKET/.test(`${error.cause?.code}`)) throw error;
    return { status: 413 };
  };
});

describe('the file of a document', () => {
  const url = `${baseUrl}/knowledge/${mine.ids.document}/file`;

  test('is served as an attachment with nosniff, to any key of the account', async () => {
    for (const key of [a.key, bare]) {
      const response = await read(url, key);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-disposition')).toMatch(/^attachment\b/);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('x-request-id')).toEqual(expect.any(String));
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(FILES.text);
    }
  });

  test('has a HEAD without a body', async () => {
    const head = await read(url, a.key, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-disposition')).toMatch(/^attachment\b/);
  });

  test('is refused without a key and to another account', async () => {
    expect((await read(url, undefined)).status).toBe(401);
    expectRefused(await b.api.get(`/knowledge/${mine.ids.document}/file`), 403);
  });

  test('keeps its bytes, whatever its type, and does not put its name into other headers', async () => {
    for (const [type, file] of [
      ['application/pdf', 'pdf'],
      ['application/msword', 'docx'],
      ['text/csv', 'UTF-16 little endian'],
    ] as const) {
      const name = 'a"b\r\nX-Evil: 1;ü☕/../../etc';
      const refusedOrMade = await api.post<NewDocument>('/knowledge/document', { file_type: type, file_name: name });
      if (refusedOrMade.status === 400) continue;
      const made = must(refusedOrMade);
      await upload(made.upload_url, FILES[file]);
      must(await finalize(made.id));
      const response = await read(identity(made.id).document_url, a.key);
      expect(response.headers.get('x-evil')).toBe(null);
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(FILES[file]);
    }
  });

  test('of a document that is not finalized is refused', async () => {
    const { id } = await create();
    expect([400, 404]).toContain((await api.get(`/knowledge/${id}/file`)).status);
  });

  test('goes with the document', async () => {
    const { id } = await finalized();
    must(await api.del(`/knowledge/${id}`));
    expectRefused(await api.get(`/knowledge/${id}/file`), 404);
  });
});
