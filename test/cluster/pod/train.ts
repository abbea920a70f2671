/**
 * Starts a training, reports when it is in progress, and continues when standard input closes; by then the trainer has been
 * killed. Its last line reports the result of the training.
 */
import type { KnowledgeItemDoc } from '@parley/corpus';
import { until } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { must } from '../../e2e/api.ts';
import type { KnowledgeItem, SubPage } from '../../e2e/resources.ts';
import { held, html, site } from '../../e2e/site.ts';
import { askedToEnd, newAccount, readStack, tell } from './world.ts';

const PAGES = 8;
/** Before the training resumes, a new trainer must start, and the killed one's lease expires after 30 seconds. */
const TRAINED_WITHIN_MS = 180_000;

const end = askedToEnd();
const slow = held(html('Wheel', 'The water wheel was rebuilt in spring.'));
const paths = Array.from({ length: PAGES }, (_, i) => `/stone-${i}`);
await using pages = await site({
  '/': html('Mill', 'The mill grinds rye and oats.', [...paths, '/wheel']),
  ...Object.fromEntries(
    paths.map((path, i) => [path, html(`Stone ${i}`, `Millstone number ${i} came from the hill.`)]),
  ),
  '/wheel': slow.served,
});
const account = await newAccount('Mill');
const website = await account.website(pages.url);
must(await account.api.put(`/knowledge/${website.id}/train`));
await slow.arrived;
const read = () => account.api.get<KnowledgeItem>(`/knowledge/${website.id}`).then(must);
const middle = await until(read, ({ training }) => (training?.sources_done ?? 0) > 0);
tell({ training: middle.training });
await end;

// The trainer outlives its deleted pod for a moment, and would finish the training with a page released now.
await slow.abandoned;
slow.release();
const item = await until(read, ({ is_training }) => !is_training, TRAINED_WITHIN_MS);
const subPages = await account.api.all<SubPage>(`/knowledge/${website.id}/sub-pages`);
const { message } = await account.ask(await account.chatbot(website), 'When was the water wheel rebuilt?');
const { variables } = await readStack();
await using mongo = await new MongoClient(variables['MONGODB_URI']!).connect();
const corpus = mongo.db('parley_corpus');
const stored = await corpus.collection<KnowledgeItemDoc>('knowledge_items').findOne({ _id: website.id });
tell({
  reason: item.training_failed_with,
  trained: subPages.filter(({ trained_at }) => trained_at).map(({ page_url }) => page_url),
  answered: message.includes('spring'),
  asked: pages.asked.filter((path) => path === '/wheel').length,
  chunks: stored?.live?.chunks,
  sources: stored?.live?.sources,
});
process.exit(0);
