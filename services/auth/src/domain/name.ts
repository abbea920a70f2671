import { invalidArgument } from '@parley/runtime';

const MAX_NAME = 200;

/** A name that a person gave: not blank, at most 200 code points, kept as sent. */
export function checkName(name: string): string {
  if (name.trim() === '') throw invalidArgument('name must not be blank.');
  if ([...name].length > MAX_NAME) throw invalidArgument(`name must have at most ${MAX_NAME} characters.`);
  return name;
}
