import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { parseAllowList } from '@parley/runtime/outbound';
import { countingEmbedders } from '../testing/counting-embedders.ts';
import { trainerWorld } from '../testing/trainer.ts';
import { VTT, youTubeServer } from './youtube/testing/youtube-server.ts';

const WATCH = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';
const counting = countingEmbedders();
let world: Awaited<ReturnType<typeof trainerWorld>>;
let youTube: Awaited<ReturnType<typeof youTubeServer>>;

beforeAll(async () => {
  [world, youTube] = await Promise.all([trainerWorld(), youTubeServer()]);
  const settings = { youtube: { origin: youTube.origin }, crawlAllow: parseAllowList('127.0.0.1/32') };
  await world.startTrainer({ embedders: counting.embedders }, settings);
});
afterEach(async () => {
  youTube.reset();
  await world.reset();
});
afterAll(async () => {
  youTube.close();
  await world.close();
});

const chunksOf = (id: string) => world.chunks(id);

test('passages of a video link to their second, under its chapters; unchanged, nothing is embedded again', async () => {
  const { _id } = await world.video();
  const item = await world.ended(_id);
  expect(item).toMatchObject({ training_failed_with: null, training_notes: [], live: { chunks: 3, sources: 1 } });
  const passage = (at: number, heading: string, text: string) => ({
    title: 'From rye to bread',
    url: `${WATCH}&t=${at}s`,
    headings: [heading],
    text,
    language: 'en',
  });
  expect(await chunksOf(_id)).toMatchObject([
    passage(1, 'The field', 'Rye is sown in autumn.'),
    passage(65, 'The mill', 'The mill grinds it between two stones.'),
    passage(130, 'The bakery', 'Bread is baked at dawn.'),
  ]);
  expect(await world.subPages(_id)).toMatchObject([
    { name: 'captions, en', title: 'From rye to bread', chunks: 3, bytes: VTT.length },
  ]);
  const { embedded } = counting;
  await world.train(_id);
  expect(await world.ended(_id)).toMatchObject({ training_failed_with: null, live: { chunks: 3 } });
  expect(counting.embedded).toBe(embedded);

  youTube.state.playing.tracks = { en: VTT.replace('at dawn', 'by night') };
  await world.train(_id);
  expect(await world.ended(_id)).toMatchObject({ training_failed_with: null });
  expect(counting.embedded).toBe(embedded + 1);
});

test('a video that YouTube does not give fails with a sentence, and its old passages answer on', async () => {
  const { _id } = await world.video();
  const { live } = await world.ended(_id);
  youTube.state.playing.playability = { status: 'LOGIN_REQUIRED', reason: 'This video is private' };
  await world.train(_id);
  const reason = expect.stringMatching(/^This video is private\. /);
  expect(await world.ended(_id)).toMatchObject({ training_failed_with: reason, live });
  expect(await world.subPages(_id)).toMatchObject([{ name: 'captions', training_failed_with: reason }]);
});

test('an uploaded transcript is trained, and YouTube is not asked', async () => {
  const srt = '1\n00:00:01,000 --> 00:00:04,000\nOats are sown\n\n2\n00:00:04,000 --> 00:00:06,000\nin spring.\n';
  const { _id } = await world.video(await world.uploaded(srt));
  expect(await world.ended(_id)).toMatchObject({ training_failed_with: null, live: { chunks: 1 } });
  expect(await chunksOf(_id)).toMatchObject([
    { title: 'YouTube video dQw4w9WgXcQ', url: `${WATCH}&t=1s`, text: 'Oats are sown in spring.' },
  ]);
  expect(await world.subPages(_id)).toMatchObject([{ name: 'uploaded transcript', bytes: srt.length, chunks: 1 }]);
  expect(youTube.state.requests).toEqual([]);
});

test('the title that its owner gave it is cited instead of that of YouTube', async () => {
  const { _id } = await world.video({ title: 'How rye becomes bread' });
  expect(await world.ended(_id)).toMatchObject({ training_failed_with: null });
  for (const { title } of await chunksOf(_id)) expect(title).toBe('How rye becomes bread');
  expect(await world.subPages(_id)).toMatchObject([{ title: 'How rye becomes bread' }]);
  await world.corpus.videos.update(world.account, _id, { title: null });
  youTube.state.playing.tracks = { 'en asr': VTT };
  await world.train(_id);
  expect(await world.ended(_id)).toMatchObject({ training_failed_with: null });
  for (const { title } of await chunksOf(_id)) expect(title).toBe('From rye to bread');
  expect(await world.subPages(_id)).toMatchObject([{ name: 'automatic captions, en', title: 'From rye to bread' }]);
});

test('a transcript that is gone or can not be read fails the item with a sentence', async () => {
  const sha256 = '';
  const gone = await world.video({ transcript: { key: 'accounts/none.txt', bytes: 1, sha256 } });
  expect(await world.ended(gone._id)).toMatchObject({
    training_failed_with: expect.stringMatching(/is gone\. Upload/),
  });
  const broken = await world.video(await world.uploaded('Words.'));
  expect(await world.ended(broken._id)).toMatchObject({
    training_failed_with: expect.stringMatching(/^The transcript of this video can't be read: line 1: .*\.$/),
  });
  youTube.state.playing.tracks = { en: '<html>Something else</html>' };
  const other = await world.video();
  expect(await world.ended(other._id)).toMatchObject({
    training_failed_with: expect.stringMatching(/^YouTube's answer could not be read \(captions, line 1: /),
  });
});
