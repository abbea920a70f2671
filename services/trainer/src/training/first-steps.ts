import type { Embedders } from '@parley/corpus';
import type { Source, Step } from '../sources/source.ts';

/** Characters that tell the language of an item: its first page may be a notice in another one. */
const ENOUGH_CHARACTERS = 8_000;
/** Bounds how long a crawl of short pages waits. */
const MAX_STEPS = 8;

/** Returns whether embedders differ by language, so that more than the first text should choose one. */
export const dependsOnLanguage = ({ forLanguage }: Embedders): boolean => forLanguage('de') !== forLanguage('en');

/**
 * The same steps, of which the first ones are held back until there is enough text, or no more, and `read` has had it.
 * The texts held are few: the one that is enough is the last.
 */
export async function* afterFirst(
  steps: AsyncIterable<Step>,
  read: (sources: readonly Source[]) => Promise<unknown>,
): AsyncGenerator<Step> {
  let held: Step[] | undefined = [];
  let characters = 0;
  for await (const step of steps) {
    if (!held) {
      yield step;
      continue;
    }
    held.push(step);
    for (const { text } of step.sources) characters += text.length;
    if (characters < ENOUGH_CHARACTERS && held.length < MAX_STEPS) continue;
    await read(held.flatMap(({ sources }) => sources));
    yield* held;
    held = undefined;
  }
  if (!held) return;
  await read(held.flatMap(({ sources }) => sources));
  yield* held;
}
