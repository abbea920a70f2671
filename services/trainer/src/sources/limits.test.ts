import { expect, test } from '@jest/globals';
import { liveBuild } from '@parley/corpus/testing';
import { LoadError } from '../crawl/http/load-error.ts';
import { createChunkQuota, type Limits, type TrainingLimits } from './limits.ts';

const MINUTE_MS = 60_000;
const training: TrainingLimits = { pageChunks: 10, itemChunks: 25, accountChunks: 40, millis: 5 * MINUTE_MS };
const crawl = { pages: 7, depth: 3, bytes: 2 * 1024 * 1024, millis: MINUTE_MS, concurrency: 1, perHostDelayMs: 0 };
const quota = (changes: Partial<TrainingLimits> = {}, others = 0, type: 'website' | 'faq' = 'website') =>
  createChunkQuota({ crawl, training: { ...training, ...changes } } as Limits, type, others);
const live = (chunks: number, sources = 0) => liveBuild({ chunks, sources });

test('a page, an item and an account each have their own limit, and the smallest decides', () => {
  const item = quota();
  expect([item.grant(11), item.isFull, item.grant(9), item.isFull, item.grant(9), item.isFull]).toEqual([
    10,
    false,
    9,
    false,
    6,
    true,
  ]);
  const account = quota({}, 30);
  expect([account.grant(10), account.isFull]).toEqual([10, true]);
  expect(() => quota({}, 40)).toThrow(LoadError);
  expect(() => quota({}, 40)).toThrow(/no room.*40 chunks \(TRAINING_MAX_ACCOUNT_CHUNKS\).*Delete/);
});

test('each limit that was hit is noted once, with its setting, and each page says why it is incomplete', () => {
  const run = quota();
  expect(run.leftOut(9, run.grant(9))).toBeUndefined();
  expect(run.leftOut(11, run.grant(11))).toMatchObject({
    all: false,
    reason: expect.stringMatching(/first 10.*PAGE_/),
  });
  expect(run.leftOut(11, run.grant(11))).toMatchObject({ all: false, reason: expect.stringMatching(/25.*ITEM_/) });
  expect(run.leftOut(5, run.grant(5))).toMatchObject({ all: true, reason: expect.stringMatching(/25.*ITEM_/) });
  run.crawled({ limits: ['pages'], notes: [] });
  run.crawled({ limits: ['depth'], notes: [] });
  expect(run.notes).toEqual([
    expect.stringMatching(/^The training stopped at 25 chunks.*\(TRAINING_MAX_ITEM_CHUNKS\).*\.$/),
    expect.stringMatching(/^The site has more pages than the 7 .*\(CRAWL_MAX_PAGES\)\.$/),
    expect.stringMatching(/^Pages that are more than 3 links away .*\(CRAWL_MAX_DEPTH\)\.$/),
    expect.stringMatching(/^One page has more than 10 chunks.*\(TRAINING_MAX_PAGE_CHUNKS\).*\.$/),
  ]);
  const account = quota({ pageChunks: 20 }, 30);
  account.leftOut(20, account.grant(20));
  expect(account.notes[0]).toMatch(/stopped at 10 chunks.*40 chunks \(TRAINING_MAX_ACCOUNT_CHUNKS\).*has 30/);
  const faq = quota({}, 0, 'faq');
  faq.leftOut(11, faq.grant(11));
  expect(faq.notes).toEqual([expect.stringMatching(/^One FAQ item has .* an FAQ item may have/)]);
});

test('a run within its limits has no notes', () => {
  const run = quota();
  run.leftOut(10, run.grant(10));
  run.crawled({ limits: [], notes: [] });
  expect(run.notes).toEqual([]);
});

test.each(['time', 'bytes'] as const)(
  'a run that was cut short by %s keeps a fuller build, and replaces no other',
  (limit) => {
    const run = quota();
    run.crawled({ limits: [limit], notes: [] });
    expect(() => run.checkFuller(live(20), 19, 5)).toThrow(/less than the previous training/);
    expect(() => run.checkFuller(live(20, 6), 20, 5)).toThrow(LoadError);
    run.checkFuller(live(20, 5), 20, 5);
    run.checkFuller(live(20), 20, 1);
    run.checkFuller(null, 1, 1);
    // Of 1,000 chunks, today's limits would leave 25.
    run.checkFuller(live(1_000), 25, 5);
  },
);

test('a run that was not cut short replaces a fuller build: the site may have become smaller', () => {
  const run = quota();
  run.crawled({ limits: ['pages'], notes: [] });
  run.checkFuller(live(20, 9), 1, 1);
});

test('a run that is out of time writes nothing more, and says which limit it hit', () => {
  const run = quota({ millis: 0 });
  expect([run.isLate, run.isFull]).toEqual([true, true]);
  expect(run.leftOut(5, 2)).toMatchObject({ all: false, reason: expect.stringContaining('TRAINING_MAX_MINUTES') });
  expect(() => run.checkFuller(live(3), 2, 1)).toThrow('TRAINING_MAX_MINUTES');
  const crawled = quota();
  crawled.crawled({ limits: ['time'], notes: [] });
  expect(crawled.notes).toEqual(['The site was read no longer than 1 minute (CRAWL_MAX_MINUTES).']);
});
