import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { youtubeVideoId } from './youtube.ts';

const ID = 'dQw4w9WgXcQ';
const read = (url: string) => youtubeVideoId('video_url', url);

test.each([
  `https://www.youtube.com/watch?v=${ID}`,
  `http://youtube.com/watch?v=${ID}`,
  `https://youtube.com/watch/?v=${ID}`,
  `https://www.youtube.com/watch?list=PL1&index=2&v=${ID}&t=10s`,
  `https://www.youtube.com/watch?v=${ID}#t=10`,
  `https://www.youtube.com/watch?v=${ID}&v=${ID}`,
  `HTTPS://WWW.YouTube.COM/watch?v=${ID}`,
  `https://m.youtube.com/watch?v=${ID}`,
  `https://music.youtube.com/watch?v=${ID}&list=RD`,
  `https://youtu.be/${ID}`,
  `https://youtu.be/${ID}/`,
  `https://www.youtu.be/${ID}?si=abc&t=3`,
  `https://www.youtube.com/shorts/${ID}`,
  `https://youtube.com/shorts/${ID}/?feature=share`,
  `https://www.youtube.com/embed/${ID}?autoplay=1`,
  `https://www.youtube.com/live/${ID}?feature=share`,
  `https://www.youtube.com/v/${ID}`,
  `https://www.youtube-nocookie.com/embed/${ID}`,
  `https://youtube-nocookie.com/embed/${ID}/`,
])('a link to a video: %s', (url) => {
  expect(read(url)).toBe(ID);
});

test.each([
  '',
  ' ',
  ID,
  `youtube.com/watch?v=${ID}`,
  `//youtube.com/watch?v=${ID}`,
  `ftp://youtube.com/watch?v=${ID}`,
  `https://youtube.com.evil.com/watch?v=${ID}`,
  `https://notyoutube.com/watch?v=${ID}`,
  `https://evil.com/youtube.com/watch?v=${ID}`,
  `https://evil.com/?u=https://youtube.com/watch?v=${ID}`,
  `https://xyoutu.be/${ID}`,
  `https://youtu.be.evil.com/${ID}`,
  `https://www.youtube.com./watch?v=${ID}`,
  `https://evil@www.youtube.com/watch?v=${ID}`,
  `https://www.youtube.com@evil.com/watch?v=${ID}`,
  `https://www.youtube.com:8443/watch?v=${ID}`,
  `https://www.youtube.com\\watch?v=${ID}`,
  ` https://www.youtube.com/watch?v=${ID}`,
  `https://www.youtube.com/watch?v=${ID} `,
  `https://www.youtube.com/wa\ttch?v=${ID}`,
  'https://www.youtube.com/',
  'https://www.youtube.com/watch',
  'https://www.youtube.com/watch?v=',
  'https://www.youtube.com/watch?list=PL0123456789',
  'https://www.youtube.com/watch?v=dQw4w9WgXc',
  'https://www.youtube.com/watch?v=dQw4w9WgXcQQ',
  'https://www.youtube.com/watch?v=dQw4w9WgXc!',
  `https://www.youtube.com/watch?V=${ID}`,
  `https://www.youtube.com/watch?v=${ID}&v=aaaaaaaaaaa`,
  `https://www.youtube.com/watch#?v=${ID}`,
  `https://www.youtube.com/Watch?v=${ID}`,
  'https://www.youtube.com/playlist?list=PL0123456789',
  'https://www.youtube.com/channel/UC0123456789',
  'https://www.youtube.com/@abcdefghijk',
  'https://www.youtube.com/c/abcdefghijk',
  'https://www.youtube.com/embed/videoseries?list=PL0123456789',
  'https://www.youtube.com/embed/live_stream?channel=UC0',
  `https://www.youtube.com/embed/${ID}/x`,
  `https://www.youtube-nocookie.com/watch?v=${ID}`,
  `https://youtu.be/x/${ID}`,
  'https://youtu.be/',
  `https://www.youtube.com/watch?v=${ID}&x=${'x'.repeat(2_048)}`,
])('no link to a video: %s', (url) => {
  expect(() => read(url)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  expect(() => read(url)).toThrow(/^video_url /);
});

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'];
const id = fc.string({ unit: fc.constantFrom(...letters), minLength: 11, maxLength: 11 });
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/).filter((name) => name !== 'v');
const parameters = fc.array(
  fc.tuple(word, word).map((pair) => pair.join('=')),
  { maxLength: 4 },
);
const scheme = fc.constantFrom('http://', 'https://', 'HTTPS://');
const host = fc.constantFrom('', 'www.', 'm.', 'music.').map((sub) => `${sub}youtube.com`);
const slash = fc.constantFrom('', '/');
const query = (list: string[]) => (list.length > 0 ? `?${list.join('&')}` : '');

test('every form of link gives its id, whatever other parameters it has', () => {
  fc.assert(
    fc.property(scheme, host, id, parameters, parameters, slash, (scheme, host, id, before, after, slash) => {
      fc.pre(id !== 'videoseries' && id !== 'live_stream');
      expect(read(`${scheme}${host}/watch${slash}${query([...before, `v=${id}`, ...after])}`)).toBe(id);
      expect(read(`${scheme}youtu.be/${id}${slash}${query(before)}`)).toBe(id);
      for (const path of ['embed', 'shorts', 'live', 'v'])
        expect(read(`${scheme}${host}/${path}/${id}${slash}${query(after)}`)).toBe(id);
    }),
  );
});

test('whatever is accepted leads to YouTube and holds the id, and nothing else throws', () => {
  const part = fc.oneof(
    fc.constantFrom('https://', 'youtube.com', 'youtu.be', 'www.', '/', '?', 'v=', 'watch', '@', ':', '.', '#', ID),
    fc.string({ maxLength: 5 }),
  );
  const text = fc.array(part, { maxLength: 8 }).map((dependencies) => dependencies.join(''));
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        text.map((rest) => `https://www.youtube.com/${rest}`),
        fc.webUrl(),
      ),
      (url) => {
        let found: string;
        try {
          found = read(url);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_argument' });
          return;
        }
        expect(found).toMatch(/^[\w-]{11}$/);
        expect(new URL(url).hostname).toMatch(
          /^(?:(?:www|m|music)\.)?youtube\.com$|^(?:www\.)?(?:youtu\.be|youtube-nocookie\.com)$/,
        );
        expect(decodeURIComponent(url)).toContain(found);
      },
    ),
    { numRuns: 2_000 },
  );
});
