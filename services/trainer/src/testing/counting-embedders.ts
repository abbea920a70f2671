import { ANY, createEmbedders, type Embedder, type Embedders } from '@parley/corpus';

/** One model for everything, which counts the texts that it embeds. */
export function countingEmbedders() {
  const counting = { embedded: 0 };
  const embedder: Embedder = {
    model: 'counting',
    prior: ANY,
    embedQuery: async () => Float32Array.of(1, 0),
    close: async () => {},
    async embed(texts: readonly string[]) {
      counting.embedded += texts.length;
      return texts.map(() => Float32Array.of(1, 0));
    },
  };
  const only = {
    current: embedder,
    forLanguage: () => embedder,
    byModel: () => embedder,
    models: [embedder.model],
  };
  const embedders: Embedders = { ...createEmbedders({ use: 'none' }), ...only };
  return Object.assign(counting, { embedders });
}
