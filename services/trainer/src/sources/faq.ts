import type { FaqItemDoc, KnowledgeItemDoc } from '@parley/corpus';
import { LoadError } from '../http/load-error.ts';
import type { Run, Source, Step } from './source.ts';

/** Items per step. */
const STEP = 32;

/** The items of an FAQ, newest first. Items added meanwhile are left to the next training. */
export async function* loadFaq(
  { _id, account }: KnowledgeItemDoc<'faq'>,
  { parts, ledger }: Run,
): AsyncGenerator<Step> {
  const { faqItems } = parts.corpus;
  const found = await faqItems.count(account, _id);
  if (found === 0) throw new LoadError('This FAQ has no items to train. Add a question and its answer first.');
  let sources: Source[] = [];
  for await (const faqItem of faqItems.all(account, _id)) {
    if (ledger.isFull) return ledger.stopped();
    sources.push(source(faqItem));
    if (sources.length < STEP) continue;
    yield { sources, count: sources.length, found };
    sources = [];
  }
  if (sources.length > 0) yield { sources, count: sources.length, found };
}

const source = ({ _id, question, answer, source_url }: FaqItemDoc): Source => ({
  id: _id,
  title: question,
  url: source_url ?? '',
  text: answer,
  isOneSection: true,
});
