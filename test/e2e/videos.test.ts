import { expect, test } from '@jest/globals';
import { must } from './api.ts';
import type { KnowledgeItem } from './resources.ts';
import { shared } from './shared.ts';

const { a, b } = await shared();

const create = async () =>
  must(
    await a.api.post<KnowledgeItem>('/knowledge/video', {
      video_url: 'https://youtu.be/dQw4w9WgXcQ',
      video_type: 'YOUTUBE',
    }),
  );

const VTT = `WEBVTT

00:00:01.000 --> 00:00:04.000
The kiln is fired with birch wood.

00:21:07.250 --> 00:21:12.000
Glaze is <i>mixed</i> from ash and feldspar.
`;

test('a video with an uploaded transcript answers, and the citation leads to the second', async () => {
  const video = await create();
  const at = `/knowledge/${video.id}`;
  expect(must(await a.api.patch(at, { transcript: VTT, language: 'en' }))).toMatchObject({
    id: video.id,
    type: 'video',
    language: 'en',
    transcript_bytes: VTT.length,
    is_training: false,
  });
  expect(await a.train(video)).toMatchObject({ training_failed_with: null, trained_at: expect.any(String) });
  const { message, sources } = await a.ask(await a.chatbot(video), 'What is glaze mixed from?');
  expect(message).toContain('ash and feldspar');
  expect(sources).toEqual([
    {
      n: 1,
      title: 'YouTube video dQw4w9WgXcQ',
      url: expect.stringMatching(/^https:\/\/www\.youtube\.com\/watch\?v=dQw4w9WgXcQ&t=\d+s$/),
    },
  ]);
  expect(must(await a.api.patch(at, { transcript: null }))).toMatchObject({ language: 'en', transcript_bytes: null });
  must(await a.api.del(at));
});

test('a transcript that can not be read is refused with its line, and so is that of another item or account', async () => {
  const { id } = await create();
  const at = `/knowledge/${id}`;
  for (const [body, message] of [
    [{ transcript: VTT.replace('00:21:07.250', '00:21:7,2.5') }, /^transcript .* line 6: "00:21:7,2\.5" is not a time/],
    [{ transcript: 'Just words.' }, /^transcript must be an SRT or VTT file: line 1: /],
    [{ language: 'Klingon!' }, /^language /],
    [{ include: ['/'] }, /a video/],
  ] as const)
    expect(await a.api.patch(at, body)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(message) },
    });
  expect((await b.api.patch(at, { transcript: VTT })).status).toBe(403);
  const { id: faq } = await a.faq('Nothing');
  expect(await a.api.patch(`/knowledge/${faq}`, { transcript: VTT })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('an FAQ') },
  });
  expect(must(await a.api.get(at))).toMatchObject({ language: null, transcript_bytes: null });
});
