import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { must } from './api.ts';
import type { KnowledgeItem } from './resources.ts';
import { shared } from './shared.ts';

const { a, b, baseUrl, objects } = await shared();

const { account } = must(await a.api.get<{ account: { id: string } }>('/me'));
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(300_000)]);

async function files(): Promise<number> {
  let count = 0;
  for await (const _ of objects.list(`accounts/${account.id}/`)) count++;
  return count;
}

const create = async (file_type: string, file_name?: string) =>
  must(await a.api.post<{ id: string; upload_url: string }>('/knowledge/document', { file_type, file_name }));
const upload = (url: string, body: string | Uint8Array, type?: string) =>
  fetch(url, { method: 'PUT', body, headers: type ? { 'content-type': type } : {} });

test('a document is created, uploaded, finalized, downloaded, and deleted with its file', async () => {
  const made = await create('application/pdf', 'Prices 2026 (€).pdf');
  expect(made).toEqual({ id: UUID, upload_url: expect.stringContaining(`${baseUrl}/`) });
  const at = `/knowledge/${made.id}`;
  expect(must(await a.api.get(at))).toMatchObject({ id: made.id, type: 'document' });
  expect(must(await a.api.get(at))).not.toHaveProperty('document_url');
  expect(await a.api.put(`${at}/train`)).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/finalize/) },
  });
  expect((await a.api.post(`${at}/finalize`)).status).toBe(400);
  expect((await a.api.get(`${at}/file`)).status).toBe(404);

  expect((await upload(made.upload_url, 'not yet')).status).toBe(200);
  expect(await a.api.post(`${at}/finalize`)).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/file_type/) },
  });
  const uploaded = await upload(made.upload_url, pdf, 'application/pdf');
  expect(await uploaded.json()).toEqual({ success: true });
  await until(files, (count) => count === 1);

  const document_url = `${baseUrl}${at}/file`;
  const finalized = { id: made.id, type: 'document', document_url };
  expect(must(await a.api.post(`${at}/finalize`))).toEqual(finalized);
  expect(must(await a.api.get(`${at}/finalize`))).toEqual(finalized);
  expect((await upload(made.upload_url, pdf)).status).toBe(409);
  const [item] = must(await a.api.get<{ items: KnowledgeItem[] }>('/knowledge')).items;
  expect(item).toMatchObject(finalized);

  const file = await fetch(document_url, { headers: { authorization: `Bearer ${a.key}` } });
  expect(Buffer.from(await file.arrayBuffer()).equals(pdf)).toBe(true);
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': String(pdf.length),
    'x-content-type-options': 'nosniff',
    'content-disposition': `attachment; filename="Prices 2026 (_).pdf"; filename*=UTF-8''Prices%202026%20%28%E2%82%AC%29.pdf`,
  });
  expect((await fetch(document_url)).status).toBe(401);
  expect((await b.api.get(`${at}/file`)).status).toBe(403);

  expect(await a.train(made)).toMatchObject({
    is_training: false,
    trained_at: null,
    training_failed_at: expect.any(String),
    training_failed_with: expect.stringMatching(/^This PDF is damaged .*\.$/),
  });
  expect(must(await a.api.del(at))).toEqual(finalized);
  expect((await a.api.get(`${at}/file`)).status).toBe(404);
  await until(files, (count) => count === 0);
});

test('a video is created, listed and deleted, and without YouTube its training fails with a sentence', async () => {
  const video_url = 'https://m.youtube.com/watch?list=PL1&v=dQw4w9WgXcQ&t=3s';
  const video = { id: UUID, type: 'video', video_id: 'dQw4w9WgXcQ', video_url, video_type: 'YOUTUBE' };
  const body = { video_url, video_type: 'YOUTUBE' };
  const made = must(await a.api.post<KnowledgeItem>('/knowledge/video', body));
  expect(made).toEqual(video);
  expect(must(await a.api.get(`/knowledge/${made.id}`))).toMatchObject({ ...video, is_training: false });
  expect(await a.train(made)).toMatchObject({
    // A deployment without the internet can't look up its name, if a closed port does not stand in for it.
    training_failed_with: expect.stringMatching(/^YouTube could not be read\. .+\. Train .* later/),
  });
  expect(must(await a.api.del(`/knowledge/${made.id}`))).toEqual(video);
  for (const [wrong, field] of [
    [{ ...body, video_url: 'https://youtube.com.evil.com/watch?v=dQw4w9WgXcQ' }, 'video_url'],
    [{ ...body, video_type: 'youtube' }, 'video_type'],
    [{ video_type: 'YOUTUBE' }, 'video_url'],
    [{ video_url }, 'video_type'],
  ] as const)
    expect(await a.api.post('/knowledge/video', wrong)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(field) },
    });
});

test('operations on documents name the type of any other item', async () => {
  const { id } = await a.faq('Nothing');
  for (const [method, path] of [
    ['POST', 'finalize'],
    ['GET', 'finalize'],
    ['GET', 'file'],
  ] as const)
    expect(await a.api.request(method, `/knowledge/${id}/${path}`)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('an FAQ') },
    });
});
