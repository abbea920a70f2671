import { type Component, ConfigError, type Env, readOpenAiModels, readOpenAiServer } from '@parley/runtime';
import type { Embedder } from './embedding/embedder.ts';
import { createLocalEmbedder } from './embedding/local.ts';
import { createMultilingualEmbedder } from './embedding/multilingual.ts';
import { createOpenAiEmbedder, type OpenAiEmbedderOptions } from './embedding/openai.ts';

export type LocalModel = (typeof LOCAL_MODELS)[number];
const LOCAL_MODELS = ['english', 'multilingual', 'auto'] as const;

export interface EmbeddingConfig {
  /** The embedder of new builds; with `none`, search is lexical. */
  use: 'local' | 'openai' | 'none';
  /** Directory of the local model. If set, builds made with it stay searchable by vector, whatever `use` says. */
  modelDir?: string | undefined;
  /** The same for the multilingual local model. */
  multilingualDir?: string | undefined;
  /** Which local model makes new builds; `auto`: the language of what is trained decides. `english` if absent. */
  localModel?: LocalModel | undefined;
  openai?: OpenAiEmbedderOptions | undefined;
}

/**
 * EMBEDDINGS, EMBEDDING_LOCAL_MODEL, the directories of the local models, and OPENAI_*. EMBEDDINGS defaults to the server if
 * one is configured, else the local model.
 */
export function readEmbeddingConfig(env: Env): EmbeddingConfig {
  const modelDir = env.optional('EMBEDDING_MODEL_DIR');
  const multilingualDir = env.optional('EMBEDDING_MULTILINGUAL_DIR');
  const localModel = env.oneOf('EMBEDDING_LOCAL_MODEL', [...LOCAL_MODELS], 'english');
  const hasLocal = localModel === 'multilingual' ? multilingualDir : modelDir;
  const server = readOpenAiServer(env);
  const use = env.oneOf('EMBEDDINGS', ['local', 'openai', 'none'], server ? 'openai' : hasLocal ? 'local' : 'none');
  if (use === 'local' && localModel !== 'multilingual' && !modelDir)
    throw new ConfigError('EMBEDDING_MODEL_DIR is not set.');
  if (use === 'local' && localModel !== 'english' && !multilingualDir)
    throw new ConfigError(`EMBEDDING_LOCAL_MODEL=${localModel} needs EMBEDDING_MULTILINGUAL_DIR.`);
  if (use === 'openai' && !server) throw new ConfigError('EMBEDDINGS=openai needs OPENAI_BASE_URL or OPENAI_API_KEY.');
  const openai = server && { ...server, model: readOpenAiModels(env).embedding };
  return { use, modelDir, multilingualDir, localModel, openai };
}

export interface Embedders extends Component {
  /** The embedder of most new builds; null if there is none. */
  current: Embedder | null;
  /** The embedder of a new build of texts in this language (BCP 47, undefined if unknown); null if there is none. */
  forLanguage(language: string | undefined): Embedder | null;
  /** Those of new builds. */
  models: readonly string[];
  /** The embedder of a build's model, if this process has it. */
  byModel(model: string): Embedder | undefined;
}

/** The configured embedders. They load on first use. */
export function createEmbedders(config: EmbeddingConfig): Embedders {
  const english = config.modelDir ? createLocalEmbedder({ dir: config.modelDir }) : undefined;
  const multilingual = config.multilingualDir ? createMultilingualEmbedder({ dir: config.multilingualDir }) : undefined;
  const openai = config.openai ? createOpenAiEmbedder(config.openai) : undefined;
  const all = [english, multilingual, openai].filter((embedder) => embedder !== undefined);
  const local = config.localModel === 'multilingual' ? multilingual : english;
  const current = { local, openai, none: undefined }[config.use] ?? null;
  const isAuto = config.use === 'local' && config.localModel === 'auto';
  return {
    name: 'embedders',
    current,
    forLanguage(language) {
      const isEnglish = language === undefined || /^en\b/i.test(language);
      return isAuto && !isEnglish && multilingual ? multilingual : current;
    },
    models: [current, isAuto ? multilingual : undefined].flatMap((embedder) => embedder?.model ?? []),
    byModel: (model) => all.find((embedder) => embedder.model === model),
    async stop() {
      await Promise.all(all.map((embedder) => embedder.close()));
    },
  };
}
