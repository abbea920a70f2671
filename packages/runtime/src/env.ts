import { SETTINGS } from './settings/catalogue.ts';
import type { Setting } from './settings/setting.ts';

export { ConfigError } from './settings/setting.ts';

/** A variable by the settings that declare it. */
type Settings = Record<string, Setting>;

/** Reads settings. Only `config.ts` files call it. */
export interface Env<S extends Settings = typeof SETTINGS> {
  /** The value, or the setting's default. @throws ConfigError if it is invalid, or missing and required */
  get<N extends keyof S>(name: N): ReturnType<S[N]['read']>;
  /** Returns whether the variable is set. An empty one counts as absent. */
  has(name: keyof S): boolean;
}

export type Variables = Record<string, string | undefined>;

/** @param settings by default those of Parley; programs of the repository have some of their own */
export function readEnv(variables: Variables): Env;
export function readEnv<S extends Settings>(variables: Variables, settings: S): Env<S>;
export function readEnv(variables: Variables, settings: Settings = SETTINGS): Env<Settings> {
  const given = (name: string) => variables[name]?.trim() || undefined;
  return {
    get: (name) => settings[name]!.read(name, given(name)),
    has: (name) => given(name) !== undefined,
  };
}
