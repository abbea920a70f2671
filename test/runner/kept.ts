/** Systems that test files of this process leave running for the next one, by key. Loaded once, unlike other test code. */
export const kept = new Map<string, { starting: Promise<unknown>; files: number }>();
