import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { KnowledgeItem } from '../e2e/resources.ts';
import {
  expectData,
  expectRefused,
  LAST_TRAINING,
  RUNNING,
  SENTENCE,
  SOURCE,
  TIME,
  TRAINED,
  UNTRAINED,
  UUID,
} from './check.ts';
import { a, storesNothing } from './given.ts';

const { api } = a;
const ID = 'dQw4w9WgXcQ';

interface Video extends KnowledgeItem {
  video_id: string;
}
const create = (video_url: unknown, video_type: unknown = 'YOUTUBE') =>
  api.post<Video>('/knowledge/video', { video_url, video_type });
const SETTINGS = { language: null, transcript_bytes: null };
const identity = (video_url: string) => ({ id: UUID, type: 'video', video_id: ID, video_url, video_type: 'YOUTUBE' });

test('a video has the right fields when created, read, trained and deleted; its training may fail with a sentence', async () => {
  const url = `https://www.youtube.com/watch?v=${ID}`;
  const made = expectData(await create(url), identity(url));
  const at = `/knowledge/${made.id}`;
  const item = { ...identity(url), ...SETTINGS };
  expectData(await api.get(at), { ...item, ...UNTRAINED });
  expectData(await api.put(`${at}/train`), { ...item, ...RUNNING });
  const ended = await a.settled(made);
  // A deployment elsewhere may reach YouTube.
  const failed = {
    ...UNTRAINED,
    training_failed_at: TIME,
    training_failed_with: SENTENCE,
    last_training: LAST_TRAINING,
  };
  expect(ended).toEqual({ ...item, ...(ended.trained_at === null ? failed : TRAINED) });
  const { items } = must(await api.get<{ items: Video[] }>('/knowledge?limit=1'));
  expect(items[0]).toEqual(ended);
  expectData(await api.del(at), identity(url));
  expectRefused(await api.get(at), 404);
});

describe('the settings of a video', () => {
  const SRT =
    '1\n00:00:01,000 --> 00:00:04,000\nRye is sown in autumn.\n\n2\n00:01:05,000 --> 00:01:09,000\nThe mill grinds.\n';

  test('are set, kept and cleared by PATCH; a video with a transcript is trained without YouTube', async () => {
    const { id } = must(await create(`https://youtu.be/${ID}`));
    const at = `/knowledge/${id}`;
    const set = { title: 'Rye', language: 'en', transcript_bytes: SRT.length };
    expect(must(await api.patch(at, { title: 'Rye', language: 'en', transcript: SRT }))).toMatchObject(set);
    expect(must(await api.patch(at, {}))).toMatchObject(set);
    must(await api.put(`${at}/train`));
    expect(await a.settled({ id })).toMatchObject({ ...set, ...TRAINED, trained_at: TIME, training_failed_with: null });
    const [source] = await api.all(`${at}/sources`);
    expect(source).toEqual({
      ...SOURCE,
      type: 'transcript',
      name: 'uploaded transcript, en',
      title: 'Rye',
      bytes: SRT.length,
    });
    expect(must(await api.patch(at, { language: null }))).toMatchObject({ ...set, language: null });
    expect(must(await api.patch(at, { title: null, transcript: null }))).toEqual({
      ...identity(`https://youtu.be/${ID}`),
      ...SETTINGS,
      ...TRAINED,
    });
    expectData(await api.del(at), identity(`https://youtu.be/${ID}`));
  });

  test.each([
    [{ transcript: 'Words.' }, 'line 1'],
    [{ transcript: SRT.replace('00:01:05,000', '00:01:65,000') }, 'line 6'],
    [{ transcript: '' }, 'transcript'],
    [{ transcript: 7 }, 'transcript'],
    [{ language: 'English, please' }, 'language'],
    [{ language: 7 }, 'language'],
    [{ title: ' ' }, 'title'],
    [{ title: 'x'.repeat(201) }, 'title'],
    [{ include: ['/'] }, 'video'],
  ])('%j is refused', async (body, word) => {
    const { id } = must(await create(`https://youtu.be/${ID}`));
    expectRefused(await api.patch(`/knowledge/${id}`, body), 400, word);
    expect(must(await api.get(`/knowledge/${id}`))).toMatchObject(SETTINGS);
  });
});

describe('a link to YouTube', () => {
  test.each([
    `https://www.youtube.com/watch?v=${ID}`,
    `http://www.youtube.com/watch?v=${ID}`,
    `https://youtube.com/watch?v=${ID}`,
    `https://www.youtube.com/watch?feature=share&v=${ID}&t=42s`,
    `https://www.youtube.com/watch?v=${ID}&list=PLx0sYbCqOb8TBPRdmBHs5Iftvv9TPboYG#t=3`,
    `https://youtu.be/${ID}`,
    `https://youtu.be/${ID}?si=AbCdEfGhIjKlMnOp&t=10`,
    `https://www.youtube.com/shorts/${ID}`,
    `https://youtube.com/shorts/${ID}?feature=share`,
    `https://www.youtube.com/embed/${ID}`,
    `https://www.youtube.com/embed/${ID}?start=5`,
    `https://www.youtube.com/live/${ID}`,
    `https://www.youtube.com/live/${ID}?feature=shared`,
    `https://music.youtube.com/watch?v=${ID}`,
    `https://m.youtube.com/watch?v=${ID}`,
    `https://m.youtube.com/shorts/${ID}`,
    `https://www.youtube-nocookie.com/embed/${ID}`,
    `https://youtube-nocookie.com/embed/${ID}`,
    `HTTPS://WWW.YouTube.COM/watch?v=${ID}`,
  ])('%p is accepted, comes back as sent, and its id is parsed', async (url) => {
    expectData(await create(url), identity(url));
  });

  storesNothing(['/knowledge'], () => {
    test.each([
      'https://vimeo.com/76979871',
      'https://example.com/watch?v=dQw4w9WgXcQ',
      'https://notyoutube.com/watch?v=dQw4w9WgXcQ',
      'https://youtube.com.example.com/watch?v=dQw4w9WgXcQ',
      'https://www.youtube.example/watch?v=dQw4w9WgXcQ',
      'https://example.com/?u=https://www.youtube.com/watch?v=dQw4w9WgXcQ',
      'https://youtube.com@example.com/watch?v=dQw4w9WgXcQ',
      'https://user:pass@www.youtube.com/watch?v=dQw4w9WgXcQ',
      'https://www.youtube.com/',
      'https://www.youtube.com/watch',
      'https://www.youtube.com/watch?v=',
      'https://www.youtube.com/watch?v=short',
      'https://www.youtube.com/watch?v=dQw4w9WgXcQtoolong',
      'https://www.youtube.com/watch?v=dQw4w9Wg%20cQ',
      'https://www.youtube.com/playlist?list=PLx0sYbCqOb8TBPRdmBHs5Iftvv9TPboYG',
      'https://www.youtube.com/@channel',
      'https://www.youtube.com/channel/UC_x5XG1OV2P6uZZ5FSM9Ttw',
      'https://youtu.be/',
      'https://www.youtube.com/embed/',
      'ftp://www.youtube.com/watch?v=dQw4w9WgXcQ',
      'www.youtube.com/watch?v=dQw4w9WgXcQ',
      'dQw4w9WgXcQ',
      'javascript:alert(1)',
      '//www.youtube.com/watch?v=dQw4w9WgXcQ',
    ])('%p is refused', async (url) => {
      expectRefused(await create(url), 400, 'video_url');
    });

    test.each(['VIMEO', 'youtube', 'YouTube', ' YOUTUBE', '', null, 7, ['YOUTUBE']])(
      'with the type %p is refused',
      async (type) => {
        expectRefused(await create(`https://youtu.be/${ID}`, type), 400, 'video_type');
      },
    );
  });

  test('that is shared by two items makes two items', async () => {
    const [one, two] = [must(await create(`https://youtu.be/${ID}`)), must(await create(`https://youtu.be/${ID}`))];
    expect(one.id).not.toBe(two.id);
  });
});
