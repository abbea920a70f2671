import type { Vocabulary } from './packed-file.ts';

/** Their own characters in a regular expression. */
const classOf = (characters: readonly number[]): string =>
  `[${characters.map((character) => `\\u${character.toString(16).padStart(4, '0')}`).join('')}]`;

/** The definition of the XLM-RoBERTa tokenizer that a packed model has, as a `tokenizer.json`. */
export function tokenizerOf({ begin, end, unknown, ...vocabulary }: Vocabulary) {
  const token = (content: string, id: number) => ({
    ...{ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true },
  });
  const mark = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const special = (name: string, id: number) => ({ id: name, ids: [id], tokens: [name] });
  const metaspace = { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', add_prefix_space: true };
  const text = { Sequence: { id: 'A', type_id: 0 } };
  return {
    ...{ version: '1.0', truncation: null, padding: null },
    added_tokens: [token('<s>', begin), token('</s>', end), token('<unk>', unknown)],
    normalizer: { type: 'Sequence', normalizers: normalizersOf(vocabulary.replacements) },
    pre_tokenizer: metaspace,
    post_processor: {
      type: 'TemplateProcessing',
      single: [mark('<s>'), text, mark('</s>')],
      pair: [mark('<s>'), text, mark('</s>'), mark('</s>'), { Sequence: { id: 'B', type_id: 0 } }, mark('</s>')],
      special_tokens: { '<s>': special('<s>', begin), '</s>': special('</s>', end) },
    },
    decoder: metaspace,
    model: { type: 'Unigram', unk_id: unknown, vocab: piecesOf(vocabulary) },
  };
}

/** Unicode's compatibility forms, but for the characters that the model replaces otherwise. */
function normalizersOf(replacements: Vocabulary['replacements']): object[] {
  const others = [...replacements].filter(
    ([character, by]) => String.fromCodePoint(character).normalize('NFKC') !== by,
  );
  const byReplacement = Map.groupBy(others, ([, by]) => by);
  return [
    ...[...byReplacement].map(([content, characters]) => ({
      ...{ type: 'Replace', pattern: { Regex: classOf(characters.map(([character]) => character)) }, content },
    })),
    { type: 'NFKC' },
    { type: 'Replace', pattern: { Regex: ' {2,}' }, content: ' ' },
  ];
}

function piecesOf({ offsets, scores, text }: Pick<Vocabulary, 'offsets' | 'scores' | 'text'>): [string, number][] {
  const decoder = new TextDecoder();
  return Array.from(scores, (score, id) => [decoder.decode(text.subarray(offsets[id], offsets[id + 1])), score]);
}
