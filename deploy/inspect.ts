import { parseArgs } from 'node:util';
import { PROCESS_NAMES, type ProcessName } from './processes.ts';

/**
 * Reads which process to debug, from `--inspect` (every one that runs in this program) or `--inspect=NAME`.
 *
 * @throws Error that lists the names if there is no such process, or no such option.
 */
export function readInspected(args: readonly string[]): ProcessName | 'all' | undefined {
  // An option without a value, where one may follow the sign, is not known to parseArgs.
  const given = args.map((arg) => (arg === '--inspect' ? '--inspect=all' : arg));
  const { inspect } = parseArgs({ args: given, options: { inspect: { type: 'string' } } }).values;
  if (inspect === undefined || inspect === 'all') return inspect;
  const name = PROCESS_NAMES.find((known) => known === inspect);
  if (!name) throw new Error(`--inspect=${inspect}: there is no such process. Known are ${PROCESS_NAMES.join(', ')}.`);
  return name;
}
