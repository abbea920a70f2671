import { integer, oneOf, text } from './setting.ts';

/** The embedding model, and the model that writes answers. */
export const MODELS = {
  EMBEDDINGS: oneOf(
    ['local', 'openai', 'none'],
    'what knowledge is embedded with: a local model, the OpenAI-compatible server, or nothing: then search compares words only',
    { shown: '`local`, or `openai` if a server is configured' },
  ),
  EMBEDDING_LOCAL_MODEL: oneOf(
    ['english', 'multilingual', 'auto'],
    'the local model of new trainings: `english` (MiniLM, 23 MB), `multilingual` (e5-small, 91 MB to fetch, about 100 languages, a fifth of the speed) or `auto`, which uses the multilingual one for knowledge in other languages than English. After a change of model, trainers embed what is live again in the background, from its stored passages, at most half of the time; until then it is searched with the model it was trained with if that is still configured, else by words only',
    { fallback: 'english' },
  ),
  OPENAI_BASE_URL: text('the address of any OpenAI-compatible server, with its `/v1`, for embeddings and answers', {
    shown: 'none; with `OPENAI_API_KEY` alone, OpenAI',
  }),
  OPENAI_API_KEY: text('the key of that server'),
  OPENAI_MODEL: text('the model that writes answers', { fallback: 'gpt-4o-mini' }),
  OPENAI_EMBEDDING_MODEL: text('the model that embeds', { fallback: 'text-embedding-3-small' }),
  // The rules take a fourth of the least.
  OPENAI_CONTEXT_TOKENS: integer(
    "tokens of a prompt and its answer together: raise it to what your model's server is started with, and the model sees more of each page",
    { min: 2_048, max: 10_000_000, shown: '4,096; 16,384 without `OPENAI_BASE_URL`' },
  ),
  OPENAI_ANSWER_TOKENS: integer('tokens of an answer, at most half of `OPENAI_CONTEXT_TOKENS`', {
    min: 64,
    shown: '1,024; 8,192 for `o…` and `gpt-5…`',
  }),
  MODEL_TOKENS_PER_DAY: integer(
    'tokens of prompts and answers that each account may use in a day (UTC), as the server reports them, else estimated; once they are spent, replies quote the best passages, as without a model. 0 means no limit',
    // Some 1,700 replies of 6,000 tokens each, which is most of a prompt for 16,384: at most $6 a day of gpt-4o-mini.
    { fallback: 10_000_000 },
  ),
  EMBEDDING_TOKENS_PER_DAY: integer(
    'tokens of passages and questions that each account may have embedded by the server in a day (UTC), as it reports them, else estimated; once they are spent, trainings fail, saying so, and questions are searched by words only. 0 means no limit. A local model is not limited',
    // Five trainings of all chunks that an account may have, of 200 tokens each: $1 of text-embedding-3-small.
    { fallback: 50_000_000 },
  ),
};
