import { type EndedTraining, type KnowledgeItem, KnowledgeType } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { z } from 'zod';
import { isoOrNull, timestamp } from '../../fields/dates.ts';
import type { RouteContext } from '../../route.ts';
import { TRAINED, training, trainingJson } from './training-json.ts';

type KnownType = Exclude<(typeof KnowledgeType)[keyof typeof KnowledgeType], typeof KnowledgeType.UNSPECIFIED>;

/** The contract's name of each type. Exhaustive: a type without its name does not compile. */
const TYPES = {
  [KnowledgeType.WEBSITE]: 'website',
  [KnowledgeType.VIDEO]: 'video',
  [KnowledgeType.DOCUMENT]: 'document',
  [KnowledgeType.FAQ]: 'faq',
} as const satisfies Record<KnownType, string>;

const video = z.object({
  video_id: z.string().meta({ description: "Videos: YouTube's id." }),
  video_url: z.string().meta({ description: 'Videos: the link as it was sent.' }),
  video_type: z.literal('YOUTUBE').meta({ description: 'Videos.' }),
});

/** The answer to creating and deleting: the item's id, its type and its details. */
const identity = z.object({
  id: z.string(),
  type: z.enum(Object.values(TYPES)),
  base_url: z.string().optional().meta({ description: 'Websites: the address of the site.' }),
  title: z.string().optional().meta({ description: 'FAQs; videos once a PATCH has set it.' }),
  description: z.string().nullable().optional().meta({ description: 'FAQs.' }),
  ...video.partial().shape,
  document_url: z.string().optional().meta({
    description: 'Finalized documents: where the file is. To read it takes a key of the account.',
  }),
});

const EXAMPLE = {
  id: '01890a5d-ac96-474b-8cce-b302099a8057',
  type: 'website',
  base_url: 'https://www.example.com/',
};

export const knowledgeIdentity = identity.meta({
  id: 'KnowledgeIdentity',
  description: 'What a knowledge item is.',
  examples: [EXAMPLE],
});

export const createdVideo = z
  .object({ id: z.string(), type: z.literal('video') })
  .extend(video.shape)
  .meta({
    id: 'CreatedVideo',
    examples: [
      {
        id: EXAMPLE.id,
        type: 'video',
        video_id: 'dQw4w9WgXcQ',
        video_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
        video_type: 'YOUTUBE',
      },
    ],
  });

const createdDocumentFields = z.object({
  id: z.string(),
  upload_url: z.string().meta({
    format: 'uri',
    description: 'Where to PUT the file, as it is: signed, and valid for 15 minutes.',
  }),
});

export const createdDocument = createdDocumentFields.meta({
  id: 'CreatedDocument',
  examples: [
    {
      id: EXAMPLE.id,
      upload_url: `https://parley.example.com/v1/knowledge/${EXAMPLE.id}/upload?account=A&expires=1772358300&signature=S`,
    },
  ],
});

const finalizedDocumentFields = z.object({
  id: z.string(),
  type: z.literal('document'),
  document_url: z.string().meta({ format: 'uri', description: 'Where the file is.' }),
});

export const finalizedDocument = finalizedDocumentFields.meta({
  id: 'FinalizedDocument',
  examples: [
    {
      id: EXAMPLE.id,
      type: 'document',
      document_url: `https://parley.example.com/v1/knowledge/${EXAMPLE.id}/file`,
    },
  ],
});

/** The types of documents, and the extension of a file without a name. */
export const FILE_TYPES = {
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'text/plain': 'txt',
  'text/csv': 'csv',
} as const;

export type FileType = keyof typeof FILE_TYPES;

const progress = z
  .object({
    state: z.enum(['queued', 'running']),
    sources_found: z.int().meta({ description: 'Pages of a website, or items of an FAQ.' }),
    sources_done: z.int(),
    chunks: z.int(),
  })
  .meta({ id: 'TrainingProgress' });

const endedTraining = z
  .object({
    started_at: timestamp,
    ended_at: timestamp,
    embedded: z.int().meta({ description: 'Texts that the embedding model was given.' }),
    reused: z.int().meta({ description: 'Texts whose vectors were known, because they had not changed.' }),
    calls: z.int().meta({ description: 'Requests to the embedding model, without their retries.' }),
    tokens: z.int().meta({ description: 'In the embedded texts: an estimate, one for four characters.' }),
  })
  .meta({ id: 'EndedTraining' });

const websiteSetting = (description: string) => ({
  description: `Websites: ${description}`,
  'x-parley-extension': true,
});

const videoSetting = (description: string) => ({
  description: `Videos: ${description}`,
  'x-parley-extension': true,
});

const itemFields = identity.extend({
  language: z
    .string()
    .nullable()
    .optional()
    .meta(videoSetting('the language of the captions to train; null: the best that there are.')),
  transcript_bytes: z
    .int()
    .nullable()
    .optional()
    .meta(videoSetting("the size of the transcript that was uploaded; null: YouTube's captions are trained.")),
  include: z.array(z.string()).optional().meta(websiteSetting('path patterns of the pages to train; empty: all.')),
  exclude: z
    .array(z.string())
    .optional()
    .meta(websiteSetting('path patterns of the pages to leave out, even if included.')),
  retrain_every: z
    .int()
    .nullable()
    .optional()
    .meta(websiteSetting('hours after which the site is trained again by itself; null: only on request.')),
  is_training: z.boolean(),
  ...training,
  live_since: timestamp.nullable().meta({
    description: 'When the training whose result is live was completed; null while there is none.',
    'x-parley-extension': true,
  }),
  training: progress
    .optional()
    .meta({ description: 'While a training is queued or running.', 'x-parley-extension': true }),
  training_notes: z.array(z.string()).meta({
    description:
      'What the latest training left out or could not read anew, a sentence each: limits that it hit, how many pages kept what an earlier training read because they could not be read for a passing reason, and how many were left out because they ask for it (noindex, nofollow) or are the same as others; while one is queued, why it has to be tried again.',
    'x-parley-extension': true,
  }),
  last_training: endedTraining.nullable().meta({
    description: 'What the latest training that has ended asked of the embedding model; null before the first.',
    'x-parley-extension': true,
  }),
});

const SETTINGS = { include: ['/help/'], exclude: ['/*/print$'], retrain_every: 24 };

export const knowledgeItem = itemFields.meta({
  id: 'KnowledgeItem',
  examples: [
    {
      ...EXAMPLE,
      ...SETTINGS,
      is_training: false,
      ...TRAINED,
      live_since: TRAINED.trained_at,
      training_notes: [],
      last_training: {
        started_at: '2026-03-01T09:28:41.000Z',
        ended_at: TRAINED.trained_at,
        embedded: 37,
        reused: 412,
        calls: 6,
        tokens: 7_311,
      },
    },
  ],
});

/** Where the API is, for fields that are addresses. */
type Address = Pick<RouteContext, 'baseUrl'>;

export const documentUrl = (id: string, { baseUrl }: Address): string => `${baseUrl}/knowledge/${id}/file`;

/** Exhaustive: details without their case do not compile. */
export function knowledgeIdentityJson(
  { id, type, details }: KnowledgeItem,
  address: Address,
): z.input<typeof knowledgeIdentity> {
  const common = { id, type: typeJson(type) };
  switch (details.case) {
    case 'website':
      return { ...common, base_url: details.value.baseUrl };
    case 'faq':
      return { ...common, title: details.value.title, description: details.value.description ?? null };
    case 'video': {
      const { videoId: video_id, videoUrl: video_url } = details.value;
      return { ...common, video_id, video_url, video_type: 'YOUTUBE' };
    }
    case 'document':
      return { ...common, ...(details.value.finalized && { document_url: documentUrl(id, address) }) };
    case undefined:
      return common;
  }
}

export const knowledgeItemJson = (item: KnowledgeItem, address: Address): z.input<typeof knowledgeItem> => ({
  ...knowledgeIdentityJson(item, address),
  ...settingsJson(item),
  is_training: item.isTraining,
  ...trainingJson(item),
  live_since: isoOrNull(item.liveSince),
  ...(item.training && {
    training: {
      state: item.training.queued ? 'queued' : 'running',
      sources_found: item.training.sourcesFound,
      sources_done: item.training.sourcesDone,
      chunks: item.training.chunks,
    },
  }),
  training_notes: item.trainingNotes,
  last_training: item.lastTraining ? endedTrainingJson(item.lastTraining) : null,
});

const endedTrainingJson = ({ startedAt, endedAt, embedded, reused, calls, tokens }: EndedTraining) => ({
  started_at: isoOrNull(startedAt)!,
  ended_at: isoOrNull(endedAt)!,
  ...{ embedded, reused, calls, tokens },
});

/** Returns what the owner of a website or a video can change. */
function settingsJson({ details }: KnowledgeItem) {
  if (details.case === 'video') {
    const { title, language, transcriptBytes } = details.value;
    return {
      ...(title !== undefined && { title }),
      language: language ?? null,
      transcript_bytes: transcriptBytes ?? null,
    };
  }
  if (details.case !== 'website') return {};
  const { include, exclude, retrainEvery } = details.value;
  return { include, exclude, retrain_every: retrainEvery ?? null };
}

function typeJson(type: KnowledgeType): (typeof TYPES)[KnownType] {
  const name = TYPES[type as KnownType];
  if (!name) throw new Error(`unknown knowledge type ${type}`);
  return name;
}
