import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { published } from '@parley/corpus/testing';
import { randomId } from '@parley/runtime/rpc';
import { testCall } from '@parley/runtime/testing';
import { type KnowledgeWorld, knowledgeWorld, request } from '../testing.ts';

let world: KnowledgeWorld;
beforeAll(async () => {
  world = await knowledgeWorld();
});
afterAll(() => world.close());

const account = randomId();
const by = (of = account) => testCall({ account: of });
const update = async (id: string, fields: object, call = by()) => {
  const none = { case: undefined };
  const unset = { retrainEveryChange: none, titleChange: none, languageChange: none, transcriptChange: none };
  const { item } = await world.rpc.updateKnowledgeItem(request({ id, ...unset, ...fields }), call);
  return item!.details!.value;
};
const every = (value: number) => ({ retrainEveryChange: { case: 'retrainEvery', value } });
const never = { retrainEveryChange: { case: 'clearRetrainEvery', value: true } };
const patterns = (...values: string[]) => ({ values });
const untouched = { baseUrl: 'https://example.com/', include: [], exclude: [], retrainEvery: undefined };

test('only the settings that are present are changed; each can be cleared; text that looks like a command is text', async () => {
  const { _id } = await world.website(account);
  expect(await update(_id, {})).toEqual(untouched);
  expect(await update(_id, { include: patterns('/$a', '/docs/*') })).toEqual({
    ...untouched,
    include: ['/$a', '/docs/*'],
  });
  expect(await update(_id, every(24))).toEqual({ ...untouched, include: ['/$a', '/docs/*'], retrainEvery: 24 });
  expect(await update(_id, { include: patterns(), exclude: patterns('/old'), ...never })).toEqual({
    ...untouched,
    exclude: ['/old'],
  });
});

test('a training that is asked for after the patterns changed is a new one; other changes start none', async () => {
  const { _id } = await world.website(account);
  const { training } = world.corpus;
  const again = async () => {
    await training.request(account, _id, randomId());
    return (await world.stored(_id))!.training.again;
  };
  await update(_id, { include: patterns('/a') });
  const job = await world.begin(account, _id);
  await update(_id, { include: patterns('/a'), exclude: patterns(), ...every(1) });
  expect(await again()).toBe(false);
  await update(_id, { exclude: patterns('/a/b') });
  await update(_id, { exclude: patterns('/a/b') });
  expect(await world.stored(_id)).toMatchObject({ content_version: 2 });
  expect(await again()).toBe(true);
  await training.publish(job, published());
  expect(await world.stored(_id)).toMatchObject({ generation: 2, training: { state: 'queued' } });
  await training.publish((await training.claim())!, published());
});

test('wrong settings, other types, other accounts and unknown items are refused, and nothing is stored', async () => {
  const { _id } = await world.website(account);
  const { _id: faq } = await world.faq(account);
  const before = await world.stored(_id);
  for (const [fields, message] of [
    [{ include: patterns('/', 'a') }, 'include[1] must begin with /.'],
    [{ exclude: patterns(' ') }, 'exclude[0] must not be blank.'],
    [{ include: patterns(`/${'a'.repeat(200)}`) }, 'include[0] must have at most 200 characters.'],
    [{ exclude: patterns(...Array(51).fill('/')) }, 'exclude must have at most 50 entries.'],
    [every(0), 'retrain_every must be a whole number of hours from 1 to 8,760.'],
    [every(8_761), 'retrain_every must be a whole number of hours from 1 to 8,760.'],
  ] as const)
    await expect(update(_id, { ...every(5), ...fields })).rejects.toMatchObject({ code: 'invalid_argument', message });
  await expect(update(_id, every(1), by(randomId()))).rejects.toMatchObject({ code: 'permission_denied' });
  await expect(update(randomId(), every(1))).rejects.toMatchObject({ code: 'not_found' });
  await expect(update(faq, {})).rejects.toMatchObject({
    code: 'failed_precondition',
    message: expect.stringContaining('FAQ'),
  });
  expect(await world.stored(_id)).toEqual(before);
});
