import { writePdf } from '@parley/reading/testing';

/** Writes a PDF. Each page names its own number, in the same sentence. */
export const book = (pages: number): Buffer =>
  writePdf(
    Array.from({ length: pages }, (_, i) => [
      { text: 'The Book of Mills', y: 30 },
      'Of weights and measures',
      ...Array.from(
        { length: 12 },
        (_, line) => `The sack of ledger ${i + 1} weighs ${line} pounds, and a peck of meal.`,
      ),
      { text: `- ${i + 1} -`, y: 820 },
    ]),
  );
