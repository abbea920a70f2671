import { type Component, ConfigError, type Env } from '@parley/runtime';
import type { Embedder } from './embedding/embedder.ts';
import { createLocalEmbedder } from './embedding/local.ts';
import { createOpenAiEmbedder, type OpenAiEmbedderOptions } from './embedding/openai.ts';

export interface EmbeddingConfig {
  /** What new builds are embedded with; `none`: search compares words only. */
  use: 'local' | 'openai' | 'none';
  /** Where the local model lies. Builds that were made with it can be searched even where `use` says otherwise. */
  modelDir?: string | undefined;
  openai?: OpenAiEmbedderOptions | undefined;
}

/** OpenAI's own default, for a server that is not told which. */
const DEFAULT_MODEL = 'text-embedding-3-small';

/** EMBEDDINGS, EMBEDDING_MODEL_DIR and OPENAI_*. Without EMBEDDINGS: a server where one is named, else the local model. */
export function readEmbeddingConfig(env: Env): EmbeddingConfig {
  const modelDir = env.optional('EMBEDDING_MODEL_DIR');
  const baseUrl = env.optional('OPENAI_BASE_URL');
  const key = env.optional('OPENAI_API_KEY');
  const served = baseUrl !== undefined || key !== undefined;
  const use = env.oneOf('EMBEDDINGS', ['local', 'openai', 'none'], served ? 'openai' : modelDir ? 'local' : 'none');
  if (use === 'local' && !modelDir) throw new ConfigError('EMBEDDING_MODEL_DIR is not set.');
  if (use === 'openai' && !served) throw new ConfigError('EMBEDDINGS=openai needs OPENAI_BASE_URL or OPENAI_API_KEY.');
  const model = env.optional('OPENAI_EMBEDDING_MODEL') ?? DEFAULT_MODEL;
  // A server of one's own often has no key, but the client insists on one.
  const openai = served ? { apiKey: key ?? 'none', model, ...(baseUrl && { baseUrl }) } : undefined;
  return { use, modelDir, openai };
}

export interface Embedders extends Component {
  /** What new builds are embedded with; null: nothing. */
  current: Embedder | null;
  /** What a build's own vectors were made with, where this process has it. */
  byModel(model: string): Embedder | undefined;
}

/** The embedders that the configuration names. They load when they are first used. */
export function createEmbedders(config: EmbeddingConfig): Embedders {
  const local = config.modelDir ? createLocalEmbedder({ dir: config.modelDir }) : undefined;
  const openai = config.openai ? createOpenAiEmbedder(config.openai) : undefined;
  const all = [local, openai].filter((embedder) => embedder !== undefined);
  return {
    name: 'embedders',
    current: { local, openai, none: undefined }[config.use] ?? null,
    byModel: (model) => all.find((embedder) => embedder.model === model),
    async stop() {
      await Promise.all(all.map((embedder) => embedder.close()));
    },
  };
}
