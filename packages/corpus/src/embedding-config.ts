import {
  type Component,
  ConfigError,
  type Env,
  type Metrics,
  readOpenAiModels,
  readOpenAiServer,
} from '@parley/runtime';
import type { Embedder } from './embedding/embedder.ts';
import { createLocalEmbedder } from './embedding/local.ts';
import { createOpenAiEmbedder, type OpenAiEmbedderOptions } from './embedding/openai.ts';

export type LocalModel = 'english' | 'multilingual' | 'auto';

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
  /** The most tokens that an account may have embedded in a day by a server. */
  tokensPerDay: number;
}

/**
 * EMBEDDINGS, EMBEDDING_LOCAL_MODEL, EMBEDDING_TOKENS_PER_DAY, the directories of the local models, and OPENAI_*. EMBEDDINGS defaults to the server if
 * one is configured, else the local model.
 */
export function readEmbeddingConfig(env: Env): EmbeddingConfig {
  const modelDir = env.get('EMBEDDING_MODEL_DIR');
  const multilingualDir = env.get('EMBEDDING_MULTILINGUAL_DIR');
  const localModel = env.get('EMBEDDING_LOCAL_MODEL');
  const hasLocal = localModel === 'multilingual' ? multilingualDir : modelDir;
  const server = readOpenAiServer(env);
  const use = env.get('EMBEDDINGS') ?? (server ? 'openai' : hasLocal ? 'local' : 'none');
  if (use === 'local' && localModel !== 'multilingual' && !modelDir)
    throw new ConfigError('EMBEDDING_MODEL_DIR is not set.');
  if (use === 'local' && localModel !== 'english' && !multilingualDir)
    throw new ConfigError(`EMBEDDING_LOCAL_MODEL=${localModel} needs EMBEDDING_MULTILINGUAL_DIR.`);
  if (use === 'openai' && !server) throw new ConfigError('EMBEDDINGS=openai needs OPENAI_BASE_URL or OPENAI_API_KEY.');
  const openai = server && { ...server, model: readOpenAiModels(env).embedding };
  const tokensPerDay = env.get('EMBEDDING_TOKENS_PER_DAY') || Infinity;
  return { use, modelDir, multilingualDir, localModel, openai, tokensPerDay };
}

export interface Embedders extends Component {
  /** The embedder of most new builds; null if there is none. */
  current: Embedder | null;
  /** The embedder of a new build of texts in this language (BCP 47, undefined if unknown); null if there is none. */
  forLanguage(language: string | undefined): Embedder | null;
  /** The models of new builds. */
  models: readonly string[];
  /** The embedder of a build's model, if this process has it. */
  byModel(model: string): Embedder | undefined;
}

/** The configured embedders. They load on first use. @throws ConfigError if a directory has no model that can be used. */
export function createEmbedders(
  config: Omit<EmbeddingConfig, 'tokensPerDay'>,
  metrics?: Pick<Metrics, 'answered'>,
): Embedders {
  const localOf = (dir: string | undefined, setting: string) =>
    dir ? createLocalEmbedder({ dir, setting }) : undefined;
  const english = localOf(config.modelDir, 'EMBEDDING_MODEL_DIR');
  const multilingual = localOf(config.multilingualDir, 'EMBEDDING_MULTILINGUAL_DIR');
  const openai = config.openai
    ? createOpenAiEmbedder({ ...config.openai, answered: (isUp) => metrics?.answered('embeddings', isUp) })
    : undefined;
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
