import { z } from 'zod';
import { replacedList } from '../../fields/assistants.ts';
import { uuid } from '../../fields/ids.ts';
import { optional, requiredText, text, webAddress } from '../../fields/text.ts';
import { list, route } from '../../route.ts';
import { READS_KNOWLEDGE, WRITES_KNOWLEDGE } from '../../scopes.ts';
import { knowledgeIdentity, knowledgeIdentityJson, knowledgeItem, knowledgeItemJson } from './json.ts';
import { source, sourceJson } from './source-json.ts';
import { subPage, subPageJson } from './sub-page-json.ts';

const params = z.object({ id: uuid });

export const createWebsite = route({
  method: 'POST',
  path: '/knowledge/website',
  summary: 'Create a knowledge item of a website',
  scope: 'any key',
  restricted: WRITES_KNOWLEDGE,
  body: z.object({ website_url: webAddress }).meta({ examples: [{ website_url: 'https://www.example.com/' }] }),
  response: knowledgeIdentity,
  call: ({ body }, { knowledge }) => knowledge.createWebsite({ websiteUrl: body.website_url }),
  toJson: ({ item }, context) => knowledgeIdentityJson(item!, context),
});

export const createFaq = route({
  method: 'POST',
  path: '/knowledge/faq',
  summary: 'Create a knowledge item of questions and answers',
  scope: 'any key',
  restricted: WRITES_KNOWLEDGE,
  body: z
    .object({ title: requiredText(200), description: optional(text(2_000)) })
    .meta({ examples: [{ title: 'Opening hours', description: 'When the shops are open.' }] }),
  response: knowledgeIdentity,
  call: ({ body }, { knowledge }) => knowledge.createFaq(body),
  toJson: ({ item }, context) => knowledgeIdentityJson(item!, context),
});

export const listKnowledge = list({
  path: '/knowledge',
  summary: 'List the knowledge items, newest first',
  scope: 'any key',
  restricted: READS_KNOWLEDGE,
  item: knowledgeItem,
  toJson: knowledgeItemJson,
  call: ({ page }, { knowledge }) => knowledge.listKnowledgeItems(page),
});

export const getKnowledge = route({
  method: 'GET',
  path: '/knowledge/:id',
  summary: 'Read a knowledge item',
  scope: 'any key',
  restricted: READS_KNOWLEDGE,
  params,
  response: knowledgeItem,
  call: ({ params }, { knowledge }) => knowledge.getKnowledgeItem(params),
  toJson: ({ item }, context) => knowledgeItemJson(item!, context),
});

const pathPattern = requiredText(200).refine((pattern) => pattern.startsWith('/'), 'must begin with /');
const pathPatterns = (description: string) =>
  replacedList(
    z
      .array(pathPattern)
      .max(50)
      .meta({ description: `At most 50 patterns. ${description}` }),
  );
const HOURS = 'must be a whole number of hours from 1 to 8,760';

export const updateKnowledge = route({
  method: 'PATCH',
  path: '/knowledge/:id',
  summary: 'Change what is trained of a website or a video, and how often',
  scope: 'any key',
  restricted: WRITES_KNOWLEDGE,
  description: `\`include\`, \`exclude\` and \`retrain_every\` are for websites, \`title\`, \`language\` and \`transcript\` for videos. A pattern
is the beginning of a \`page_url\`, as in robots.txt: \`*\` stands for any characters, also \`/\`, and a \`$\` at its end for
the end of the \`page_url\`. With \`include\`, only pages that match one of its patterns are read, trained and listed; pages
that match one of \`exclude\` never are. The start page is read in any case, for its links. So \`["/docs/"]\` in \`include\` limits a website to that path; without patterns, a website is its whole origin,
whatever path its address has. New patterns take effect with the next training. \`retrain_every\` counts from the end of a
training, completed or failed, to the start of the next, and takes effect at once. A \`transcript\`, the text of an SRT or VTT
file, is trained instead of YouTube's captions, which are not asked for any more: for videos that have none, or that YouTube
does not show to this server. Fields that are absent stay; null clears.`,
  extension: true,
  params,
  body: z
    .object({
      include: pathPatterns('Empty or null: all pages.'),
      exclude: pathPatterns('Empty or null: none.'),
      retrain_every: z
        .int(HOURS)
        .min(1, HOURS)
        .max(8_760, HOURS)
        .nullish()
        .meta({ description: 'Hours; null: only on request.' }),
      title: requiredText(200).nullish().meta({
        description: "What citations call the video, from its next training on. Null: YouTube's title.",
      }),
      language: requiredText(35).nullish().meta({
        description:
          'Of the captions to train, such as `en` or `pt-BR`. Null: those that people made in the language that is spoken, else in another one, else automatic ones.',
      }),
      transcript: requiredText(1_000_000).nullish().meta({
        description:
          "An SRT or VTT file of at most 1,000,000 bytes, in a request of at most 1 MiB. Null: YouTube's captions.",
      }),
    })
    .meta({ examples: [{ include: ['/help/'], exclude: ['/*/print$'], retrain_every: 24 }] }),
  response: knowledgeItem,
  call: ({ params, body: { retrain_every, title, language, transcript, ...patterns } }, { knowledge }) =>
    knowledge.updateKnowledgeItem({
      ...params,
      ...patterns,
      retrainEveryChange: retrainEveryChange(retrain_every),
      titleChange: titleChange(title),
      languageChange: languageChange(language),
      transcriptChange: transcriptChange(transcript),
    }),
  toJson: ({ item }, context) => knowledgeItemJson(item!, context),
});

export const deleteKnowledge = route({
  method: 'DELETE',
  path: '/knowledge/:id',
  summary: 'Delete a knowledge item',
  scope: 'any key',
  restricted: WRITES_KNOWLEDGE,
  params,
  response: knowledgeIdentity,
  call: ({ params }, { knowledge }) => knowledge.deleteKnowledgeItem(params),
  toJson: ({ item }, context) => knowledgeIdentityJson(item!, context),
});

export const trainKnowledge = route({
  method: 'PUT',
  path: '/knowledge/:id/train',
  summary: 'Start the training of a knowledge item',
  scope: 'any key',
  restricted: WRITES_KNOWLEDGE,
  errors: { 409: 'The item is being changed by other requests.' },
  params,
  response: knowledgeItem,
  call: ({ params }, { knowledge }) => knowledge.trainKnowledgeItem(params),
  toJson: ({ item }, context) => knowledgeItemJson(item!, context),
});

export const listSubPages = list({
  path: '/knowledge/:id/sub-pages',
  summary: 'List the pages of a website, by page_url',
  scope: 'any key',
  restricted: READS_KNOWLEDGE,
  params,
  item: subPage,
  toJson: subPageJson,
  call: ({ params, page }, { knowledge }) => knowledge.listSubPages({ knowledgeId: params.id, ...page }),
});

export const listSources = list({
  path: '/knowledge/:id/sources',
  summary: 'List what a knowledge item of any type was trained from, with its outcome',
  scope: 'any key',
  restricted: READS_KNOWLEDGE,
  description: `Of the latest training; while one is running, what it has read so far. Pages by \`page_url\`, parts of a document
in their order, items of an FAQ newest first. What changed in an FAQ since is listed after the next training.`,
  extension: true,
  params,
  item: source,
  toJson: sourceJson,
  call: ({ params, page }, { knowledge }) => knowledge.listSources({ knowledgeId: params.id, ...page }),
});

function retrainEveryChange(hours: number | null | undefined) {
  if (hours === undefined) return { case: undefined };
  return hours === null
    ? ({ case: 'clearRetrainEvery', value: true } as const)
    : ({ case: 'retrainEvery', value: hours } as const);
}

function titleChange(title: string | null | undefined) {
  if (title === undefined) return { case: undefined };
  return title === null ? ({ case: 'clearTitle', value: true } as const) : ({ case: 'title', value: title } as const);
}

function languageChange(language: string | null | undefined) {
  if (language === undefined) return { case: undefined };
  return language === null
    ? ({ case: 'clearLanguage', value: true } as const)
    : ({ case: 'language', value: language } as const);
}

function transcriptChange(transcript: string | null | undefined) {
  if (transcript === undefined) return { case: undefined };
  return transcript === null
    ? ({ case: 'clearTranscript', value: true } as const)
    : ({ case: 'transcript', value: transcript } as const);
}
