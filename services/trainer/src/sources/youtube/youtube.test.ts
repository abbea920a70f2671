import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { parseAllowList } from '@parley/runtime/outbound';
import { VTT, youTubeServer } from './testing/youtube-server.ts';
import { VideoError } from './video-error.ts';
import { createYouTube, type YouTube } from './youtube.ts';

const ID = 'dQw4w9WgXcQ';
const allow = parseAllowList('127.0.0.1/32');
let server: Awaited<ReturnType<typeof youTubeServer>>;
let youTube: YouTube;

beforeAll(async () => {
  server = await youTubeServer();
  youTube = createYouTube({ origin: server.origin, allow });
});
afterEach(() => server.reset());
afterAll(async () => {
  await youTube.close();
  server.close();
});

const find = (language: string | null = null, of = youTube) => of.find(ID, language, new AbortController().signal);
const failure = async (finding: Promise<unknown>) => {
  const error = await finding.then(
    () => new Error('was found'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(VideoError);
  return error as VideoError;
};

test('a video is found with two requests; no program of YouTube is fetched', async () => {
  expect(await find()).toEqual({
    title: 'From rye to bread',
    description: expect.stringContaining('1:05 The mill'),
    transcript: VTT,
    language: 'en',
    isAutomatic: false,
  });
  expect(server.state.requests).toEqual([`player ${ID} as ANDROID`, 'GET /api/timedtext']);
});

test.each([
  [['en', 'de'], null, 'en'],
  [['de', 'en', 'en asr'], null, 'en'],
  [['de', 'en-GB', 'en asr'], null, 'en-GB'],
  [['en asr'], null, 'en asr'],
  [['fr asr', 'de', 'en'], null, 'de'],
  [['en', 'de', 'en asr'], 'de', 'de'],
  [['pt-BR', 'pt', 'en'], 'PT', 'pt'],
  [['pt-BR', 'en'], 'pt', 'pt-BR'],
  [['en asr', 'en'], 'en', 'en'],
  [['en', 'da asr'], 'da', 'da asr'],
])('of captions in %j, with %j wanted, %j are read', async (tracks, wanted, chosen) => {
  server.state.playing.tracks = Object.fromEntries(tracks.map((track) => [track, `WEBVTT ${track}`]));
  expect((await find(wanted)).transcript).toBe(`WEBVTT ${chosen}`);
});

const status = (name: string, reason: string, subreason?: string) => ({
  playability: { status: name, reason, ...(subreason && { subreason }) },
});

test.each([
  ['no_transcript', { tracks: {} }, /^This video has no captions on YouTube\. .* SRT or VTT file\.$/],
  ['private', status('LOGIN_REQUIRED', 'This video is private'), /is private\. Make it public or unlisted/],
  ['age', status('LOGIN_REQUIRED', 'Sign in to confirm your age'), /prove their age/],
  ['age', status('AGE_VERIFICATION_REQUIRED', ''), /prove their age/],
  [
    'country',
    status('UNPLAYABLE', 'Video unavailable', 'The uploader has not made this video available in your country'),
    /country of this server. Set YOUTUBE_PROXY_URL/,
  ],
  ['paid', status('UNPLAYABLE', 'Join this channel to get access to members-only content'), /members or buyers/],
  [
    'removed',
    status('ERROR', 'Video unavailable', 'This video has been removed by the uploader'),
    /says: "Video unavailable\. This video has been removed by the uploader"\)\.$/,
  ],
  ['removed', status('ERROR', 'Video unavailable'), /^There is no such video/],
  [
    'unplayable',
    status('UNPLAYABLE', 'Something new.'),
    /does not show this video \(YouTube says: "Something new"\)\. /,
  ],
  ['live', { details: { isLive: true, isLiveContent: true } }, /streamed live/],
  ['upcoming', { details: { isUpcoming: true } }, /has not begun yet/],
  ['upcoming', status('LIVE_STREAM_OFFLINE', 'Premieres in 2 hours'), /has not begun yet/],
  ['refused', { robots: ['ANDROID', 'iOS'] }, /as a bot.* set YOUTUBE_PROXY_URL, or upload/],
  ['refused', { tracks: { en: '' } }, /as a bot/],
  ['refused', { answer: { status: 403 } }, /as a bot/],
  ['refused', { answer: { status: 302, location: 'https://consent.youtube.com/m' } }, /as a bot/],
  ['busy', { answer: { status: 429 } }, /too many requests .* Train the video again later/],
  [
    'network',
    { answer: { status: 503 } },
    /^YouTube could not be read\. It answered 503\. Train the video again later\.$/,
  ],
  ['unreadable', { answer: { status: 400 } }, /it has the status 400/],
  ['unreadable', { answer: { status: 200, body: '<html>' } }, /has another form than known/],
  ['unreadable', { answer: { status: 200, body: '[]' } }, /./],
])('%s: %j fails with a sentence that says what to do', async (kind, playing, sentence) => {
  Object.assign(server.state.playing, playing);
  const error = await failure(find());
  expect([error.failure, error.message]).toEqual([kind, expect.stringMatching(sentence)]);
  expect(error.isPassing).toBe(['refused', 'busy', 'network'].includes(kind));
});

test('a language that a video has not fails with those that it has', async () => {
  server.state.playing.tracks = { en: VTT, 'de asr': VTT };
  expect((await failure(find('da'))).message).toContain('it has en, de. ');
});

test('if YouTube takes one app for a robot, another one is tried; after too many requests none is', async () => {
  server.state.playing.robots = ['ANDROID'];
  expect(await find()).toMatchObject({ transcript: VTT });
  expect(server.state.requests.slice(0, 2)).toEqual([`player ${ID} as ANDROID`, `player ${ID} as iOS`]);
  server.reset();
  server.state.playing.answer = { status: 429 };
  await failure(find());
  expect(server.state.requests).toHaveLength(1);
});

test('an answer that is too large is not read', async () => {
  server.state.playing.answer = { status: 200, body: ' '.repeat(8 * 1024 * 1024 + 1) };
  expect((await failure(find())).message).toContain('larger than 8.4 MB');
});

test('captions are read from YouTube only, and a private address only if it is allowed', async () => {
  const elsewhere = JSON.stringify({
    playabilityStatus: { status: 'OK' },
    videoDetails: { videoId: ID, title: 'T', thumbnail: { thumbnails: [] } },
    captions: {
      playerCaptionsTracklistRenderer: {
        captionTracks: [{ baseUrl: 'http://127.0.0.1/', name: { runs: [] }, vssId: '.en', languageCode: 'en' }],
      },
    },
  });
  server.state.playing.answer = { status: 200, body: elsewhere };
  expect((await failure(find())).message).toContain('leads to another site');
  const guarded = createYouTube({ origin: server.origin, allow: parseAllowList('') });
  expect((await failure(find(null, guarded))).message).toContain('is a private address');
  await guarded.close();
});

test("a failing proxy is named by its setting, without its password; the training's end ends the request", async () => {
  const refusing = createServer().on('connect', (_, socket) => socket.end('HTTP/1.1 407 No\r\n\r\n'));
  await once(refusing.listen(0, '127.0.0.1'), 'listening');
  const { port } = refusing.address() as AddressInfo;
  const proxied = createYouTube({ allow, proxy: `http://ada:secret@127.0.0.1:${port}` });
  const { message } = await failure(find(null, proxied));
  expect(message).toMatch(/proxy of YOUTUBE_PROXY_URL/);
  expect(message).not.toMatch(/secret/);
  await proxied.close();
  refusing.close();
  const ended = new AbortController();
  ended.abort(new Error('ended'));
  await expect(youTube.find(ID, null, ended.signal)).rejects.toThrow('ended');
});
