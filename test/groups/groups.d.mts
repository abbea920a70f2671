/** Loads the tests of a group one by one, so that they always run in the same order. */
export function load(group: string): Promise<void>;
