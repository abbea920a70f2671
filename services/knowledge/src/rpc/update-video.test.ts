import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KnowledgeItemDoc } from '@parley/corpus';
import { checkTranscript } from '@parley/reading/transcripts';
import { randomId } from '@parley/runtime/rpc';
import { cpuMs, testCall } from '@parley/runtime/testing';
import { type KnowledgeWorld, knowledgeWorld, request } from '../testing.ts';

let world: KnowledgeWorld;
beforeAll(async () => {
  world = await knowledgeWorld();
});
afterAll(() => world.close());

const account = randomId();
const SRT = '1\n00:00:01,000 --> 00:00:04,000\nRye is sown.\n';
const none = { case: undefined };

async function create(): Promise<string> {
  const { item } = await world.rpc.createVideo(
    request({ videoUrl: 'https://youtu.be/dQw4w9WgXcQ' }),
    testCall({ account }),
  );
  return item!.id!;
}
async function update(id: string, fields: object, of = account) {
  const unset = { retrainEveryChange: none, titleChange: none, languageChange: none, transcriptChange: none };
  const { item } = await world.rpc.updateKnowledgeItem(request({ id, ...unset, ...fields }), testCall({ account: of }));
  return item!.details!.value;
}
const transcript = (value: string) => ({ transcriptChange: { case: 'transcript', value } });
const title = (value: string) => ({ titleChange: { case: 'title', value } });
const language = (value: string) => ({ languageChange: { case: 'language', value } });
const stored = async (id: string) => (await world.stored(id)) as KnowledgeItemDoc<'video'>;

async function files(id: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of world.objects.list(`accounts/${account}/knowledge/${id}/`)) found.push(key);
  return found;
}

test('a transcript, a language and a title are stored, replaced and cleared; no replaced file is left', async () => {
  const id = await create();
  const bare = { videoId: 'dQw4w9WgXcQ', videoUrl: 'https://youtu.be/dQw4w9WgXcQ' };
  expect(await update(id, {})).toMatchObject({ ...bare, language: undefined, transcriptBytes: undefined });
  const bytes = SRT.length;
  expect(await update(id, { ...transcript(SRT), ...language('pt-BR'), ...title('Rye') })).toMatchObject({
    ...bare,
    title: 'Rye',
    language: 'pt-BR',
    transcriptBytes: bytes,
  });
  await world.sweepFiles(world.objects);
  const [first] = await files(id);
  expect((await stored(id)).video.transcript).toMatchObject({ key: first, bytes });
  await update(id, transcript(`${SRT}\n`));
  await world.sweepFiles(world.objects);
  const [second, ...others] = await files(id);
  expect([second === first, others]).toEqual([false, []]);
  const cleared = {
    transcriptChange: { case: 'clearTranscript', value: true },
    languageChange: { case: 'clearLanguage', value: true },
    titleChange: { case: 'clearTitle', value: true },
  };
  const unset = { title: undefined, language: undefined, transcriptBytes: undefined };
  expect(await update(id, cleared)).toMatchObject(unset);
  await world.sweepFiles(world.objects);
  expect(await files(id)).toEqual([]);
});

test('a training that is asked for after the transcript, the language or the title changed is a new one', async () => {
  const id = await create();
  const versions: number[] = [];
  const changes = [transcript(SRT), transcript(SRT), language('en'), language('en'), {}, title('Rye'), title('Rye')];
  for (const fields of [...changes, transcript(`${SRT}\n`)]) {
    await update(id, fields);
    versions.push((await stored(id)).content_version);
  }
  expect(versions).toEqual([1, 1, 2, 2, 2, 3, 3, 4]);
});

test('wrong settings, other types, other accounts and unknown items are refused, and nothing is stored', async () => {
  const id = await create();
  const before = await stored(id);
  const large = `1\n00:00:01,000 --> 00:00:04,000\n${'é'.repeat(500_000)}`;
  for (const [fields, message] of [
    [
      transcript('1\n00:00:01 -> 2\n'),
      /^transcript must be an SRT or VTT file: line 2: there is "00:00:01 -> 2" where/,
    ],
    [transcript(large), /^transcript must have at most 1,000,000 bytes\.$/],
    [title(' '), /^title must not be blank\.$/],
    [title('x'.repeat(201)), /^title must have at most 200 characters\.$/],
    [language('Danish!'), /^language must be a language tag such as en or pt-BR\.$/],
  ] as const)
    await expect(update(id, { ...transcript(SRT), ...fields })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(message),
    });
  const { _id: website } = await world.website(account);
  const every = { retrainEveryChange: { case: 'retrainEvery', value: 1 } };
  for (const [of, fields, message] of [
    [website, transcript(SRT), 'a website'],
    [website, title('Rye'), 'a website'],
    [id, every, 'a video'],
    [id, { ...every, ...transcript(SRT) }, 'a video'],
  ] as const)
    await expect(update(of, fields)).rejects.toMatchObject({
      code: 'failed_precondition',
      message: expect.stringContaining(message),
    });
  await expect(update(id, transcript(SRT), randomId())).rejects.toMatchObject({ code: 'permission_denied' });
  await expect(update(randomId(), transcript(SRT))).rejects.toMatchObject({ code: 'not_found' });
  expect(await stored(id)).toEqual(before);
  expect(await files(id)).toEqual([]);
});

test('a transcript of a megabyte costs this process little, and nothing is read of one for an item that is not there', async () => {
  const id = await create();
  const cue = '00:00:01,000 --> 00:00:02,000\nR\n\n';
  const large = cue.repeat(Math.floor(1_000_000 / cue.length));
  const parsing = Math.min(...[1, 2, 3].map(() => cpuMs(() => checkTranscript({ text: large }))));
  const costOf = async (work: () => Promise<unknown>) => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  await update(id, transcript(SRT)); // Starts the reader.
  const costs = [];
  for (let i = 0; i < 3; i++) costs.push(await costOf(() => update(id, transcript(large))));
  expect(Math.min(...costs)).toBeLessThan(parsing / 2);
  const { check } = world.dependencies.transcripts;
  let read = 0;
  world.dependencies.transcripts.check = async () => void read++;
  for (const unknown of [() => update(randomId(), transcript(large)), () => update(id, transcript(large), randomId())])
    await expect(unknown()).rejects.toMatchObject({ code: expect.stringMatching(/not_found|permission_denied/) });
  world.dependencies.transcripts.check = check;
  expect(read).toBe(0);
});

/** Sweeps as if all times had passed; the times stay as they are otherwise. */
async function sweepLater(id: string) {
  await world.corpus.collections.items.unlisted.updateOne({ _id: id }, [
    {
      $set: {
        strays: { $map: { input: '$strays', in: { $mergeObjects: ['$$this', { due: LATE }] } } },
        files_due: LATE,
      },
    },
  ]);
  await world.sweepFiles(world.objects);
}
const LATE = new Date(0);

test('a transcript stays whose answer was lost after it was stored in the item; one that never got there is deleted', async () => {
  const id = await create();
  const { videos } = world.corpus;
  const { update: change } = videos;
  for (const commits of [true, false]) {
    videos.update = async (...args) => {
      if (commits) await change(...args);
      throw new Error('the connection was closed');
    };
    await expect(update(id, transcript(`${SRT}${commits}`))).rejects.toThrow('the connection was closed');
    videos.update = change;
    await world.sweepFiles(world.objects);
    await sweepLater(id);
    expect(await files(id)).toEqual([(await stored(id)).video.transcript!.key]);
  }
});

test('a transcript that is replaced or cleared while a training runs can still be read by it', async () => {
  const id = await create();
  await update(id, transcript(SRT));
  const job = await world.begin(account, id);
  const { key } = (job.document as KnowledgeItemDoc<'video'>).video.transcript!;
  await update(id, transcript(`${SRT}\n`));
  await update(id, { transcriptChange: { case: 'clearTranscript', value: true } });
  await world.sweepFiles(world.objects);
  expect(await files(id)).toContain(key);
  await sweepLater(id);
  expect(await files(id)).toEqual([]);
});

test('storing a transcript that takes too long is refused, and its file is deleted', async () => {
  const id = await create();
  const { put } = world.objects;
  world.objects.put = async (...args) => {
    const stored = await put(...args);
    await sweepLater(id);
    return stored;
  };
  await expect(update(id, transcript(SRT))).rejects.toMatchObject({ code: 'aborted' });
  world.objects.put = put;
  expect([await files(id), (await stored(id)).video.transcript]).toEqual([[], undefined]);
});

test('a transcript is read only for a video of the account: what it could be refused for comes after that', async () => {
  const long = transcript(`nothing\n`.repeat(100_000));
  const id = await create();
  await expect(update(randomId(), long)).rejects.toMatchObject({ code: 'not_found' });
  await expect(update(id, long, randomId())).rejects.toMatchObject({ code: 'permission_denied' });
  const { _id: faq } = await world.faq(account);
  await expect(update(faq, long)).rejects.toMatchObject({ code: 'failed_precondition' });
  for (const wrong of [long, transcript('')])
    await expect(update(id, wrong)).rejects.toMatchObject({ code: 'invalid_argument' });
  expect(await files(id)).toEqual([]);
});
