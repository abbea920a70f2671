import { parseArgs } from 'node:util';
import { UsageError } from '../bench/table.ts';

export interface Options {
  /** How long the load runs. */
  minutes: number;
  /** The same seed makes the same choices; times still differ. */
  seed: number;
  /** With the local embedding model, which takes most of the processor. */
  embeddings: boolean;
  /** Where to write every sample. */
  json?: string;
  /** Where the data and the logs stay; by default they are removed if all went well. */
  keep?: string;
}

export const USAGE = `npm run soak -- [options]
  --minutes N      run the load for N minutes (60)
  --seed S         make other choices (1)
  --embeddings     embed with the local model, instead of comparing words only
  --json FILE      write every sample
  --keep DIR       keep the data and the logs there`;

const MAX_MINUTES = 10_080;

/** @throws UsageError */
export function readOptions(args: readonly string[]): Options {
  try {
    return parsed(args);
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function parsed(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: text, seed: text, json: text, keep: text, embeddings: flag, help: flag },
  });
  if (values.help) throw new Error('Options of the soak test:');
  const { minutes = '60', seed = '1', json, keep, embeddings } = values;
  return {
    minutes: numberOf('minutes', minutes, 1, MAX_MINUTES),
    seed: numberOf('seed', seed, 0, 999_999),
    embeddings: embeddings === true,
    ...(json !== undefined && { json }),
    ...(keep !== undefined && { keep }),
  };
}

function numberOf(name: string, text: string, least: number, most: number): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new Error(`--${name} needs a number from ${least} to ${most}, not ${text}.`);
}
