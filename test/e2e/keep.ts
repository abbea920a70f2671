import { afterAll } from '@jest/globals';
import { kept } from '../runner/kept.ts';

/** How long something waits for the next test file. */
const IDLE_MS = 5_000;

/**
 * Returns a function that starts what several test files use, or takes it as the file before has left it. It is stopped when
 * no other file of this process asks for it soon.
 */
export function keep<T>(key: string, start: () => Promise<T>, stop: (started: T) => Promise<unknown>) {
  let mine: Promise<T> | undefined;
  const take = () => {
    const used = kept.get(key) ?? { starting: start(), files: 0 };
    kept.set(key, used);
    used.files++;
    if (used.files === 1) process.once('disconnect', end);
    return used.starting as Promise<T>;
  };
  const end = async () => {
    kept.delete(key);
    process.removeListener('disconnect', end);
    if (mine) await stop(await mine);
  };
  afterAll(() => {
    const used = kept.get(key);
    const files = used?.files;
    if (mine) setTimeout(() => used?.files === files && end(), IDLE_MS);
  });
  return (): Promise<T> => {
    mine ??= take();
    return mine;
  };
}
