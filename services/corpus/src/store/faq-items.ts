import { compute, insertOnce, LIVE, notFound, type Page, type PageRequest, page, refuse, set } from '@parley/runtime';
import type { FaqItemDoc } from '../model.ts';
import type { Collections } from './collections.ts';
import { KNOWLEDGE_ITEM } from './items.ts';

export type NewFaqItem = Pick<FaqItemDoc, 'question' | 'answer' | 'source_url' | 'categories'>;

export type FaqItemStore = ReturnType<typeof faqItemStore>;

/**
 * The items of FAQs. Each change is written first and raises the FAQ's `content_version` second: a training that read
 * the items before the change was claimed before the rise, and so is known to be out of date.
 */
export function faqItemStore({ items, faqItems }: Collections) {
  async function contentChanged(account: string, item: string): Promise<boolean> {
    const changed = await items.updateOne({ _id: item, account, ...LIVE }, { $inc: { content_version: 1 } });
    return changed.matchedCount === 1;
  }

  return {
    /** Adds to an FAQ, or finds what the same operation added. NOT_FOUND where the FAQ is gone. */
    async create(account: string, item: string, id: string, fields: NewFaqItem): Promise<FaqItemDoc> {
      const rating = { upvotes: 0, downvotes: 0 };
      await insertOnce(faqItems, { _id: id, account, item, ...fields, rating, deleted_at: null });
      if (!(await contentChanged(account, item))) {
        await faqItems.deleteOne({ _id: id, account, item });
        return refuse(items, { _id: item }, KNOWLEDGE_ITEM);
      }
      return (await faqItems.findOne({ _id: id, account, item }))!;
    },

    /** Deletes from an FAQ and gives what was there. The same operation again is a success. */
    async delete(account: string, item: string, id: string, operation: string): Promise<FaqItemDoc> {
      const mine = { _id: id, account, item };
      const deleted = [set({ deleted_by: operation }), compute({ deleted_at: '$$NOW' })];
      const found =
        (await faqItems.findOneAndUpdate({ ...mine, ...LIVE }, deleted)) ??
        (await faqItems.findOne({ ...mine, deleted_by: operation }));
      if (!found) throw notFound('There is no such item in this FAQ.');
      await contentChanged(account, item);
      return found;
    },

    page: (account: string, item: string, request: PageRequest): Promise<Page<FaqItemDoc>> =>
      page(faqItems, { account, item, ...LIVE }, request),

    async isEmpty(account: string, item: string): Promise<boolean> {
      return (await faqItems.findOne({ account, item, ...LIVE }, { projection: { _id: 1 } })) === null;
    },

    /** All items of an FAQ, newest first: what a training reads. */
    all: (account: string, item: string): AsyncIterable<FaqItemDoc> =>
      faqItems.find({ account, item, ...LIVE }).sort({ created_at: -1, _id: -1 }),
  };
}
