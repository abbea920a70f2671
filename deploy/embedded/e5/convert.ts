import { encoderOf } from './encoder.ts';
import { readPackedModel } from './packed-file.ts';
import { tokenizerOf } from './tokenizer.ts';

/** The files of a sentence-transformers directory with ONNX that are the same model as a packed one, by name. */
export function convert(packed: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const model = readPackedModel(packed);
  const json = (value: object) => Buffer.from(JSON.stringify(value));
  return new Map([
    ['model.onnx', encoderOf(model)],
    ['tokenizer.json', json(tokenizerOf(model.vocabulary))],
    ['sentence_bert_config.json', json({ max_seq_length: model.positions, do_lower_case: false })],
    ['config_sentence_transformers.json', json({ prompts: { query: 'query: ', passage: 'passage: ' } })],
  ]);
}
