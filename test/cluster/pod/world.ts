import { readFile } from 'node:fs/promises';
import type { StackDescription } from '../../../deploy/stack/start-stack.ts';
import type { Account } from '../../e2e/account.ts';
import { accountOn } from '../../e2e/world.ts';

/** The system in the cluster as another pod reaches it, read from the file that PARLEY_STACK names. */
export const readStack = async (): Promise<StackDescription> =>
  JSON.parse(await readFile(process.env.PARLEY_STACK!, 'utf8'));

/** Creates an account in that system. */
export const newAccount = async (name: string): Promise<Account> => accountOn(await readStack())(name);

/** Resolves when the caller asks this program to exit by closing its standard input. */
export const askedToEnd = (): Promise<void> =>
  new Promise((resolve) => process.stdin.resume().once('end', resolve).once('close', resolve));

/** Reports to the caller with one line of JSON. */
export const tell = (report: unknown): void => void process.stdout.write(`${JSON.stringify(report)}\n`);
