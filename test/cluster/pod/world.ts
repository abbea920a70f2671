import { readFile } from 'node:fs/promises';
import type { StackDescription } from '../../../deploy/stack/start-stack.ts';
import type { Account } from '../../e2e/account.ts';
import { accountOn } from '../../e2e/world.ts';

/** The system in the cluster, as a pod beside it reaches it: what PARLEY_STACK describes. */
export const readStack = async (): Promise<StackDescription> =>
  JSON.parse(await readFile(process.env.PARLEY_STACK!, 'utf8'));

/** A new account in it. */
export const newAccount = async (name: string): Promise<Account> => accountOn(await readStack())(name);

/** Resolves when whoever started this program asks it to end, by closing its standard input. */
export const askedToEnd = (): Promise<void> =>
  new Promise((resolve) => process.stdin.resume().once('end', resolve).once('close', resolve));

/** Tells whoever started this program: one line of JSON. */
export const tell = (told: unknown): void => void process.stdout.write(`${JSON.stringify(told)}\n`);
