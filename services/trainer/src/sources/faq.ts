import type { Corpus, FaqItemDoc, TrainingJob } from '@parley/corpus';
import { LoadError } from '../http/load-error.ts';
import type { Source, Step } from './source.ts';

/** Items that are embedded and stored in one step. */
const STEP = 32;

/** The items of an FAQ as they are now. What is added after they were read, the next training finds. */
export async function* loadFaq({ faqItems }: Corpus, { account, item }: TrainingJob): AsyncGenerator<Step> {
  const sources: Source[] = [];
  for await (const faqItem of faqItems.all(account, item)) sources.push(source(faqItem));
  if (sources.length === 0) throw new LoadError('This FAQ has no items to train. Add a question and its answer first.');
  for (let i = 0; i < sources.length; i += STEP) {
    const step = sources.slice(i, i + STEP);
    yield { sources: step, count: step.length, found: sources.length };
  }
}

const source = ({ _id, question, answer, source_url }: FaqItemDoc): Source => ({
  id: _id,
  title: question,
  url: source_url ?? '',
  text: answer,
});
