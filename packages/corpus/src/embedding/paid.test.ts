import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog, randomId } from '@parley/runtime';
import { QuotaExceeded } from '@parley/runtime/mongo';
import { ANY } from '../search/priors.ts';
import { embeddingTokens } from '../store/embedding-tokens.ts';
import { corpusWorld } from '../testing.ts';
import { type Embedder, EmbeddingUnavailable } from './embedder.ts';
import { paidBy, tokensOf } from './paid.ts';

let world: Awaited<ReturnType<typeof corpusWorld>>;
beforeAll(async () => {
  world = await corpusWorld();
});
afterAll(() => world.close());

/** Each text costs 10 tokens; the one that says `fail` fails. */
function paidEmbedder() {
  const asked: string[] = [];
  const embedder: Embedder = {
    model: 'm',
    prior: ANY,
    isPaid: true,
    async embed(texts, _signal, spent) {
      for (const text of texts) {
        if (text === 'fail') throw new EmbeddingUnavailable('busy');
        asked.push(text);
        spent?.(10);
      }
      return texts.map(() => Float32Array.of(1, 0));
    },
    embedQuery: async (text, signal, spent) => (await embedder.embed([text], signal, spent))[0]!,
    close: async () => {},
  };
  return { embedder, asked };
}

const budgetOf = (perDay: number) => embeddingTokens(world.db, perDay, createLog('test', 'silent'));

test('texts and questions are charged what the server has counted, as far as it has come', async () => {
  const account = randomId();
  const tokens = budgetOf(1_000);
  const { embedder } = paidEmbedder();
  const paid = paidBy(account, embedder, tokens);
  expect(paid.model).toBe('m');
  expect(await paid.embed(['a', 'b'])).toHaveLength(2);
  expect(await paid.embedQuery('a long question, whose estimate is another')).toEqual(Float32Array.of(1, 0));
  expect(await tokens.used(account)).toMatchObject({ day: 30 });
  await expect(paid.embed(['a', 'fail', 'b'])).rejects.toThrow('busy');
  expect(await tokens.used(account)).toMatchObject({ day: 40 });
  expect(await tokens.used(randomId())).toMatchObject({ day: 0 });
});

test('once the tokens of the day are spent, nothing is sent, and the error names the setting and the figure', async () => {
  const account = randomId();
  const { embedder, asked } = paidEmbedder();
  const paid = paidBy(account, embedder, budgetOf(1_000));
  const long = 'x'.repeat(2_950);
  expect(tokensOf([long])).toBeLessThan(1_000);
  const failure = await paid.embed([long, long]).catch((error: Error) => error);
  expect(failure).toBeInstanceOf(QuotaExceeded);
  expect((failure as Error).message).toMatch(/1,000 tokens .*\(EMBEDDING_TOKENS_PER_DAY\)/);
  expect(asked).toEqual([]);
});

test('an embedder that costs nothing is used as it is', async () => {
  const { embedder } = paidEmbedder();
  const free = { ...embedder, isPaid: false };
  expect(paidBy('a', free, budgetOf(0))).toBe(free);
});
