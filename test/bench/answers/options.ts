import { parseArgs } from 'node:util';
import { UsageError } from '../table.ts';
import { KINDS, type Kind } from './questions.ts';
import { SOURCES } from './sources.ts';

export interface Options {
  sources: string[];
  /** Instead of the questions written for this, the FAQs' own, about answers that stand alone. */
  bare: boolean;
  kinds: Kind[];
  /** Only questions with this text in their id or words. */
  find?: string;
  /** Only that many questions, the same ones each time. */
  sample?: number;
  /** Write every question with its answer. */
  print: boolean;
  /** With `print`: only questions that were not answered as they should be. */
  failed: boolean;
  /** Where to write the result of each question. */
  json?: string;
  /** Where the trained data stays between runs. */
  keep?: string;
  /** Train again, though the data is there. */
  retrain: boolean;
  /** Variables of the services. */
  variables: Record<string, string>;
}

export const USAGE = `npm run bench -- answers [options]
  --source NAME    only this source; may be repeated (${SOURCES.map(({ name }) => name).join(', ')}), or the set: tune, held-out
  --kind KIND      only this kind; may be repeated (${KINDS.join(', ')})
  --bare           ask the FAQs' own questions, where each answer is a page without its question
  --find TEXT      only questions with this text in their id or their words
  --sample N       only N questions, the same ones each time
  --print          write every question with its answer
  --failed         write only those that were not answered as they should be
  --json FILE      write the result of each question
  --keep DIR       keep the trained data there, and use it if it is there
  --retrain        with --keep: train again, after a change of what happens in training
  --set NAME=VALUE a variable of the services, such as OPENAI_BASE_URL; may be repeated`;

/** @throws UsageError */
export function readOptions(args: readonly string[]): Options {
  try {
    return parsed(args);
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function parsed(args: readonly string[]): Options {
  const several = { type: 'string', multiple: true } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ source: several, kind: several, set: several, find: { type: 'string' }, sample: { type: 'string' } },
      ...{ print: { type: 'boolean' }, failed: { type: 'boolean' }, json: { type: 'string' } },
      ...{ keep: { type: 'string' }, retrain: { type: 'boolean' }, help: { type: 'boolean' } },
      bare: { type: 'boolean' },
    },
  });
  if (values.help) throw new Error('Options of the answers:');
  const { source = [], kind = KINDS, set = [], find, sample, print, failed, json, keep, retrain, bare } = values;
  return {
    sources: source.length > 0 ? source.flatMap(named) : SOURCES.map(({ name }) => name),
    bare: bare === true,
    kinds: kind.map(kindOf),
    ...(find !== undefined && { find }),
    ...(sample !== undefined && { sample: countOf(sample) }),
    print: print === true || failed === true,
    failed: failed === true,
    ...(json !== undefined && { json }),
    ...(keep !== undefined && { keep }),
    retrain: retrain === true,
    variables: Object.fromEntries(set.map(variable)),
  };
}

function named(name: string): string[] {
  const found = SOURCES.filter((source) => source.name === name || source.set === name.replace('-', ' '));
  if (found.length === 0) throw new Error(`There is no source ${name}.`);
  return found.map((source) => source.name);
}

function kindOf(name: string): Kind {
  const kind = KINDS.find((each) => each === name);
  if (!kind) throw new Error(`There is no kind ${name}.`);
  return kind;
}

function countOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`--sample needs a number, not ${text}.`);
  return Number(text);
}

function variable(text: string): [string, string] {
  const [, name, value] = /^([A-Z0-9_]+)=(.*)$/s.exec(text) ?? [];
  if (!name) throw new Error(`--set needs NAME=VALUE, not ${text}.`);
  return [name, value!];
}
