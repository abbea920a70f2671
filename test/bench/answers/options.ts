import { parseArgs } from 'node:util';
import { UsageError } from '../table.ts';
import { KINDS, type Kind } from './questions.ts';

export interface Options {
  /** Names of sites, or of sets; empty for all. */
  sites: string[];
  /** The manuals, too. */
  manuals: boolean;
  kinds: Kind[];
  /** Only questions with this text in their id or words. */
  find?: string;
  /** Only that many questions of each site, the same ones each time. */
  sample?: number;
  /** Write every question with its answer. */
  print: boolean;
  /** With `print`: only questions that were not answered as they should be. */
  failed: boolean;
  /** Where to write the result of each question. */
  json?: string;
  /** Print and write questions of sites held out, too. */
  reveal: boolean;
  /** Where the trained data stays between runs. */
  keep?: string;
  /** Train again, though the data is there. */
  retrain: boolean;
  /** Variables of the services. */
  variables: Record<string, string>;
}

export const USAGE = `npm run bench -- answers [options]
  --site NAME      only this site; may be repeated, or a set: tune, held-out
  --manuals        the manuals, too; with --site manuals, only these
  --kind KIND      only this kind; may be repeated (${KINDS.join(', ')})
  --find TEXT      only questions with this text in their id or their words
  --sample N       only N questions of each site, the same ones each time
  --print          write every question with its answer, unless it is held out
  --failed         write only those that were not answered as they should be
  --json FILE      write the result of each question, unless it is held out
  --reveal         with --print, --failed or --json: those held out, too, which then are no longer held out
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
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ site: several, kind: several, set: several, find: { type: 'string' }, sample: { type: 'string' } },
      ...{ json: { type: 'string' }, keep: { type: 'string' } },
      ...{ manuals: flag, print: flag, failed: flag, reveal: flag, retrain: flag, help: flag },
    },
  });
  if (values.help) throw new Error('Options of the answers:');
  const { site = [], kind = KINDS, set = [], find, sample, json, keep, print, failed } = values;
  const { manuals, reveal, retrain } = values;
  return {
    ...{ sites: site, reveal, retrain, failed, print: print || failed },
    manuals: manuals || site.includes('manuals'),
    kinds: kind.map(kindOf),
    ...(find !== undefined && { find }),
    ...(sample !== undefined && { sample: countOf(sample) }),
    ...(json !== undefined && { json }),
    ...(keep !== undefined && { keep }),
    variables: Object.fromEntries(set.map(variable)),
  };
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
