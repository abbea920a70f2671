export function say(line: string): void;
export function fail(sentence: string): never;
export function during<T>(label: string, work: () => Promise<T>): Promise<T>;
