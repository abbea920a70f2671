import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { corpusWorld, published } from '../testing.ts';
import { MAX_RETRIES, type TrainingStore } from './training.ts';

let world: Awaited<ReturnType<typeof corpusWorld>>;
let training: TrainingStore;
beforeAll(async () => {
  world = await corpusWorld();
  training = world.corpus.training;
});
beforeEach(() => world.emptyQueue());
afterAll(() => world.close());

async function queued(account: string) {
  const { _id } = await world.website(account);
  await training.request(account, _id, randomId());
  return _id;
}

test('the account with the fewest running jobs goes first, then the oldest job, so a long queue delays no other account', async () => {
  const [busy, other] = [randomId(), randomId()];
  const first = await queued(busy);
  const second = await queued(busy);
  const third = await queued(busy);
  const late = await queued(other);
  const claimed: (string | undefined)[] = [];
  for (let i = 0; i < 5; i++) claimed.push((await training.claim())?.item);
  expect(claimed).toEqual([first, late, second, third, undefined]);
});

test('many concurrent workers never claim one job twice', async () => {
  const account = randomId();
  const items = [await queued(account), await queued(account), await queued(randomId())];
  const claims = await Promise.all(Array.from({ length: 8 }, () => training.claim()));
  expect(claims.flatMap((job) => job?.item ?? []).sort()).toEqual(items.sort());
});

test('a training whose worker died three times fails with a sentence and does not block the queue', async () => {
  const account = randomId();
  const poison = await queued(account);
  for (let died = 0; died < 3; died++) {
    expect((await training.claim())?.item).toBe(poison);
    await world.expire(poison);
  }
  const next = await queued(account);
  expect((await training.claim())?.item).toBe(next);
  const failed = await world.stored(poison);
  expect(failed).toMatchObject({
    training: { state: 'idle' },
    training_failed_with: expect.stringContaining('3 times'),
  });
  expect(failed!.outbox!.at(-1)!.payload.case).toBe('trainingFailed');
});

test('database failures during a long training do not count as attempts', async () => {
  const item = await queued(randomId());
  for (let failures = 0; failures < 6; failures++) {
    const job = await training.claim();
    expect(job?.item).toBe(item);
    // The lease expires meanwhile; the worker returns when the database does, every other time too late.
    await world.expire(item);
    if (failures % 2)
      expect([await training.uncountAttempt(job!), await training.uncountAttempt(job!)]).toEqual([true, false]);
    else expect(await training.release(job!)).toBe(true);
  }
  expect(await world.stored(item)).toMatchObject({ training_failed_with: null, training: { attempts: 0 } });
});

test('a worker that uncounts its claim late does not touch the state or the lease of its successor', async () => {
  const item = await queued(randomId());
  const late = await training.claim();
  await world.expire(item);
  const successor = await training.claim();
  expect(await training.uncountAttempt(late!)).toBe(true);
  expect(await world.stored(item)).toMatchObject({
    training: { state: 'running', fence: successor!.fence, attempts: 1, claims: [successor!.fence] },
  });
  expect(await training.renew(successor!)).toBe(true);
});

test('a training that gets further with each attempt continues; one that dies at the same place fails', async () => {
  const item = await queued(randomId());
  const attempt = async (sources_done: number) => {
    const job = await training.claim();
    if (job) await training.reportProgress(job, { sources_found: 100, sources_done, chunks: 1 });
    await world.expire(item);
    return job?.item;
  };
  for (const done of [10, 20, 30, 40, 50, 60]) expect(await attempt(done)).toBe(item);
  expect([await attempt(60), await attempt(59), await attempt(60)]).toEqual([item, item, undefined]);
  expect(await world.stored(item)).toMatchObject({ training_failed_with: expect.stringContaining('3 times') });
});

test('a postponed training says why, waits longer each time, and fails with the reason in the end', async () => {
  const item = await queued(randomId());
  const pauses: number[] = [];
  let waited = 0;
  for (let retries = 0; retries < MAX_RETRIES; retries++) {
    expect(await training.postpone((await training.claim())!, 'The model is busy.')).toBe(true);
    const { training_notes, training: state } = (await world.stored(item))!;
    expect({ training_notes, ...state }).toMatchObject({
      state: 'queued',
      attempts: 0,
      training_notes: ['The model is busy. The training will be tried again by itself.'],
    });
    pauses.push(state.queued_at!.getTime() - Date.now());
    expect(await training.claim()).toBeUndefined();
    expect((await training.waiting()).oldestAge).toBeGreaterThan(waited);
    waited = (await training.waiting()).oldestAge;
    await world.resume(item);
  }
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses.at(-1)! / 60_000).toBeGreaterThan(5);
  expect(await training.postpone((await training.claim())!, 'The model is busy.')).toBe(true);
  const failed = await world.stored(item);
  expect(failed).toMatchObject({ training: { state: 'idle' }, training_notes: [] });
  expect(failed!.training_failed_with).toMatch(/^The model is busy. The training was tried 7 times/);
});

test('a postponed training that gets further begins its pauses anew', async () => {
  const item = await queued(randomId());
  for (let done = 1; done <= MAX_RETRIES + 2; done++) {
    const job = (await training.claim())!;
    await training.reportProgress(job, { sources_found: 100, sources_done: done, chunks: 1 });
    await training.postpone(job, 'The model is busy.');
    expect((await world.stored(item))!.training).toMatchObject({ state: 'queued', retries: 1 });
    await world.resume(item);
  }
});

test('a claim skips accounts whose jobs the trainer leaves to others', async () => {
  const [busy, other] = [randomId(), randomId()];
  const first = await queued(busy);
  const second = await queued(busy);
  expect((await training.claim({ except: [other] }))?.item).toBe(first);
  expect(await training.claim({ except: [busy] })).toBeUndefined();
  const late = await queued(other);
  expect((await training.claim({ except: [busy] }))?.item).toBe(late);
  expect((await training.claim({ except: [other] }))?.item).toBe(second);
});

test('a worker that stops cleanly returns its job, any number of times, without counting an attempt', async () => {
  const item = await queued(randomId());
  for (let stops = 0; stops < 6; stops++) {
    const job = await training.claim();
    expect(job?.item).toBe(item);
    expect(await training.release(job!)).toBe(true);
  }
});

test('the operation that requested a training starts no second one, not even after the first has ended', async () => {
  const account = randomId();
  const { _id } = await world.website(account);
  const operation = randomId();
  await training.request(account, _id, operation);
  const job = await training.claim();
  await training.publish(job!, published());
  expect(await training.request(account, _id, operation)).toMatchObject({ generation: 1, training: { state: 'idle' } });
});

test('publishing is idempotent: a retry after a lost answer succeeds and publishes once', async () => {
  const account = randomId();
  const { _id } = await world.website(account);
  const job = await world.begin(account, _id);
  expect([await training.publish(job, published('m')), await training.publish(job, published('m'))]).toEqual([
    true,
    true,
  ]);
  const events = (await world.stored(_id))!.outbox!.map(({ payload }) => payload.case);
  expect(events).toEqual(['knowledgeItemCreated', 'trainingQueued', 'trainingCompleted']);
});

test('a published build takes nothing over from the one before it', async () => {
  const item = await queued(randomId());
  await training.publish((await training.claim())!, published('m', { chunks: 3, sources: 1 }));
  await training.request((await world.stored(item))!.account, item, randomId());
  await training.publish((await training.claim())!, published());
  const { live } = (await world.stored(item))!;
  expect(live).toMatchObject(published());
});

test('a build stays live when the next training fails', async () => {
  const account = randomId();
  const { _id } = await world.website(account);
  const first = await world.begin(account, _id);
  await training.publish(first, published(null, { chunks: 2 }));
  const second = await world.begin(account, _id);
  await training.fail(second, 'The site does not answer.');
  expect(await world.stored(_id)).toMatchObject({
    trained_at: null,
    training_failed_at: expect.any(Date),
    training_failed_with: 'The site does not answer.',
    live: { build: first.build, chunks: 2, trained_at: expect.any(Date) },
  });
});

test('only the holder of the lease sets the progress', async () => {
  const account = randomId();
  const { _id } = await world.website(account);
  const stale = await world.begin(account, _id);
  await world.expire(_id);
  const current = await training.claim();
  const progress = { sources_found: 3, sources_done: 1, chunks: 7 };
  expect(await training.reportProgress(current!, progress)).toBe(true);
  expect(await training.reportProgress(stale, { ...progress, chunks: 99 })).toBe(false);
  expect((await world.stored(_id))!.training.progress).toEqual(progress);
});

test('what waits is counted, in all and by account, and its age is that of the job that has waited longest', async () => {
  expect(await training.waiting()).toEqual({ depth: 0, oldestAge: 0 });
  const [many, few] = [randomId(), randomId()];
  const old = await queued(many);
  await queued(few);
  await queued(many);
  await world.corpus.collections.items.unlisted.updateOne(
    { _id: old },
    { $set: { 'training.first_queued_at': new Date(Date.now() - 60_000) } },
  );
  expect(await training.waiting()).toEqual({ depth: 3, oldestAge: expect.any(Number) });
  expect((await training.waiting()).oldestAge).toBeGreaterThanOrEqual(59);
  const byAccount = await training.waitingByAccount();
  expect(byAccount.map(({ account, depth }) => ({ account, depth }))).toEqual([
    { account: many, depth: 2 },
    { account: few, depth: 1 },
  ]);
  expect(byAccount.map(({ oldestAge }) => oldestAge >= 59)).toEqual([true, false]);
});
