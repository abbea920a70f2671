/** A variable is missing or invalid. The message names it and says what is expected. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

type Bounds = { min?: number; max?: number };

export interface Env {
  /** Required text. */
  text(name: string): string;
  optional(name: string): string | undefined;
  /** Required text of at least `minLength` characters. Errors never show it. */
  secret(name: string, minLength: number): string;
  integer(name: string, fallback: number, bounds?: Bounds): number;
  flag(name: string, fallback: boolean): boolean;
  oneOf<const T extends string>(name: string, values: readonly T[], fallback: T): T;
  /** host:port */
  address(name: string, fallback?: string): string;
  /** One or more host:port, separated by commas. */
  addresses(name: string): string[] | undefined;
}

const ADDRESS = /^[^\s:/]+:\d{1,5}$/;

/** Reads typed environment variables; only `config.ts` files call it. An empty variable counts as absent. */
export function readEnv(variables: Record<string, string | undefined>): Env {
  const optional = (name: string) => variables[name]?.trim() || undefined;
  const text = (name: string) => {
    const value = optional(name);
    if (value === undefined) throw new ConfigError(`${name} is not set.`);
    return value;
  };
  return {
    text,
    optional,
    secret(name, minLength) {
      const value = text(name);
      if (value.length < minLength) throw new ConfigError(`${name} must have at least ${minLength} characters.`);
      return value;
    },
    integer(name, fallback, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}) {
      const value = optional(name);
      if (value === undefined) return fallback;
      const number = Number(value);
      if (!Number.isSafeInteger(number) || number < min || number > max)
        throw new ConfigError(`${name} must be a whole number from ${min} to ${max}.`);
      return number;
    },
    flag(name, fallback) {
      const value = optional(name)?.toLowerCase();
      if (value === undefined) return fallback;
      if (value !== 'true' && value !== 'false') throw new ConfigError(`${name} must be true or false.`);
      return value === 'true';
    },
    oneOf(name, values, fallback) {
      const value = optional(name);
      if (value === undefined) return fallback;
      const known = values.find((v) => v === value);
      if (known === undefined) throw new ConfigError(`${name} must be one of ${values.join(', ')}.`);
      return known;
    },
    address(name, fallback) {
      const value = optional(name) ?? fallback ?? text(name);
      if (!ADDRESS.test(value)) throw new ConfigError(`${name} must be host:port.`);
      return value;
    },
    addresses(name) {
      const values = optional(name)?.split(/\s*,\s*/);
      if (values?.every((value) => ADDRESS.test(value)) ?? true) return values;
      throw new ConfigError(`${name} must be one or more host:port, separated by commas.`);
    },
  };
}
