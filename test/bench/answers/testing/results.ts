import type { Kind, Question } from '../questions.ts';
import type { Result } from '../result.ts';
import type { Outcome, Reply } from '../score.ts';
import type { Ground } from '../sites.ts';

/** A question that the section `page.html#a` answers, with alpha. */
export const question = (fields: Partial<Question> = {}): Question => ({
  ...{ id: 'a/b/1', kind: 'answerable', set: 'tune', before: [], ask: 'How?' },
  ...{ sections: ['page.html#a'], facts: [['alpha']], needs: [], anywhere: false },
  ...fields,
});

export const ground = (fields: Partial<Ground> = {}): Ground => ({
  ...{ name: 'shop', owner: 'shop', set: 'held-out', language: 'en' },
  ...{ pages: new Map(), questions: [] },
  ...fields,
});

interface Fields {
  kind?: Kind;
  outcome: Outcome;
  confidence?: Reply['confidence'];
  length?: number;
  evidence?: number;
  site?: Partial<Ground>;
}

/** Cited where it is right. */
export function result({
  kind = 'answerable',
  outcome,
  confidence = null,
  length = 10,
  evidence,
  site,
}: Fields): Result {
  const cited = outcome === 'right';
  return {
    site: ground(site),
    question: question({ kind }),
    reply: { message: 'So.', sources: [], confidence, millis: 1 },
    score: { outcome, cited, citedSection: cited, length, quoted: null },
    best: evidence === undefined ? undefined : { evidence, isRight: cited },
  };
}

export const many = (count: number, fields: Fields): Result[] => Array.from({ length: count }, () => result(fields));
