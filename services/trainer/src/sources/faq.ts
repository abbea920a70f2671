import type { FaqItemDoc, KnowledgeItemDoc, SourceOutcome } from '@parley/corpus';
import { LoadError } from '../crawl/http/load-error.ts';
import { NO_TEXT, type Run, type Source, type Step, type Written } from './source.ts';

/** Items per step. */
const STEP = 32;

/** The items of an FAQ, newest first. Items added meanwhile are left to the next training. */
export async function* loadFaq(
  { _id, account }: KnowledgeItemDoc<'faq'>,
  { dependencies, job, quota }: Run,
): AsyncGenerator<Step> {
  const { faqItems, subPages } = dependencies.corpus;
  const found = await faqItems.count(account, _id);
  if (found === 0) throw new LoadError('This FAQ has no items to train. Add a question and its answer first.');
  let seen = 0;
  const stepOf = (items: readonly FaqItemDoc[]): Step => {
    const first = seen;
    seen += items.length;
    return {
      sources: items.map(source),
      count: items.length,
      found,
      done: (written) =>
        subPages.recordAll(
          job,
          items.map((item, i) => [first + i, outcome(item, written[i]!)]),
        ),
    };
  };
  let items: FaqItemDoc[] = [];
  for await (const faqItem of faqItems.all(account, _id)) {
    if (quota.isFull) return quota.stopped();
    items.push(faqItem);
    if (items.length < STEP) continue;
    yield stepOf(items);
    items = [];
  }
  if (items.length > 0) yield stepOf(items);
}

const source = ({ _id, question, answer, source_url }: FaqItemDoc): Source => ({
  id: _id,
  title: question,
  url: source_url ?? '',
  text: answer,
  isOneSection: true,
});

function outcome({ _id: faq_item, question, answer }: FaqItemDoc, { chunks, leftOut }: Written): SourceOutcome {
  const about = { name: question, faq_item, title: question, bytes: Buffer.byteLength(answer) };
  const note = chunks === 0 ? NO_TEXT : leftOut?.reason;
  return leftOut?.all ? { ...about, failed_with: leftOut.reason } : { ...about, chunks, note };
}
