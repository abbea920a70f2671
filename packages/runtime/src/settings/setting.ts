/** A variable is missing or invalid. The message names it and says what is expected. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** One variable of the environment: what it may be, what it is by default, and what it is for. */
export interface Setting<T = unknown> {
  /** A sentence for those who run Parley, in Markdown. It begins in lower case and has no full stop. */
  readonly about: string;
  /** The default as the table shows it, in Markdown. */
  readonly shown: string;
  /** JSON schema of the values that the chart accepts. An empty value counts as absent. */
  readonly schema: Record<string, unknown>;
  /** @param value not empty; undefined if the variable is absent. @throws ConfigError that names the variable */
  read(name: string, value: string | undefined): T;
}

/** The default, if a process has none of its own; and how the table shows it, if it is not that value. */
interface Default<T> {
  fallback?: T;
  shown?: string;
}

/** The type of what is read: undefined only where there is no default. */
type Read<T, D> = D extends { fallback: T } ? T : T | undefined;

const NONE = 'none';
const ADDRESS = /^[^\s:/]+:\d{1,5}$/;

const code = (value: unknown): string => `\`${value}\``;

function setting<T, D extends Default<T>>(
  about: string,
  { fallback, shown }: D,
  { schema, show = code, parse }: { schema: object; show?(value: T): string; parse(name: string, value: string): T },
): Setting<Read<T, D>> {
  return {
    about,
    shown: shown ?? (fallback === undefined ? NONE : show(fallback)),
    schema: { ...schema, description: about },
    read: (name, value) => (value === undefined ? fallback : parse(name, value)) as Read<T, D>,
  };
}

/** Any text. */
export const text = <const D extends Default<string>>(about: string, options: D = {} as D) =>
  setting<string, D>(about, options, { schema: { type: ['string', 'number'] }, parse: (_, value) => value });

/** Text that must be set. */
export const required = (about: string, shown = 'required'): Setting<string> => mustBeSet(text(about, { shown }));

/** Text of at least `minLength` characters, which errors never show. */
export const secret = (about: string, minLength: number, shown = 'required'): Setting<string> =>
  mustBeSet(optionalSecret(about, minLength, shown));

/** The same, which may be absent. */
export const optionalSecret = (about: string, minLength: number, shown: string): Setting<string | undefined> =>
  setting<string, { shown: string }>(
    about,
    { shown },
    {
      schema: { type: 'string' },
      parse(name, value) {
        if (value.length < minLength) throw new ConfigError(`${name} must have at least ${minLength} characters.`);
        return value;
      },
    },
  );

/** Any number of secrets, one a line. */
export const secrets = (about: string, minLength: number): Setting<string[]> =>
  setting<string[], { fallback: string[]; shown: string }>(
    about,
    { fallback: [], shown: NONE },
    {
      schema: { type: 'string' },
      parse(name, value) {
        const lines = value.split('\n').map((line) => line.trim());
        const all = lines.filter((line) => line !== '');
        if (all.every((each) => each.length >= minLength)) return all;
        throw new ConfigError(`${name} must have at least ${minLength} characters in each line.`);
      },
    },
  );

function mustBeSet(optional: Setting<string | undefined>): Setting<string> {
  return {
    ...optional,
    read(name, value) {
      const read = optional.read(name, value);
      if (read === undefined) throw new ConfigError(`${name} is not set.`);
      return read;
    },
  };
}

/** A whole number within bounds. */
export const integer = <const D extends Default<number> & { min?: number; max?: number }>(
  about: string,
  options: D,
) => {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options;
  return setting<number, D>(about, options, {
    schema: { type: ['integer', 'string'], minimum: min, maximum: max, pattern: '^[0-9]*$' },
    show: (value) => value.toLocaleString('en'),
    parse(name, value) {
      const number = Number(value);
      if (!Number.isSafeInteger(number) || number < min || number > max)
        throw new ConfigError(`${name} must be a whole number from ${min} to ${max}.`);
      return number;
    },
  });
};

/** `true` or `false`. */
export const flag = (about: string, fallback: boolean): Setting<boolean> =>
  setting<boolean, { fallback: boolean }>(
    about,
    { fallback },
    {
      schema: { enum: [true, false, 'true', 'false', ''] },
      parse(name, value) {
        const lower = value.toLowerCase();
        if (lower !== 'true' && lower !== 'false') throw new ConfigError(`${name} must be true or false.`);
        return lower === 'true';
      },
    },
  );

/** One of these words. */
export const oneOf = <const T extends string, const D extends Default<T>>(
  values: readonly T[],
  about: string,
  options: D = {} as D,
) =>
  setting<T, D>(about, options, {
    schema: { enum: [...values, ''] },
    parse(name, value) {
      const known = values.find((each) => each === value);
      if (known === undefined) throw new ConfigError(`${name} must be one of ${values.join(', ')}.`);
      return known;
    },
  });

/** One or more `host:port`, separated by commas. */
export const addresses = (about: string): Setting<string[] | undefined> =>
  setting<string[], object>(
    about,
    {},
    {
      schema: { type: 'string' },
      parse(name, value) {
        const all = value.split(',').map((each) => each.trim());
        if (all.every((each) => ADDRESS.test(each))) return all;
        throw new ConfigError(`${name} must be one or more host:port, separated by commas.`);
      },
    },
  );

/** `host:port`. */
export const address = (about: string): Setting<string> =>
  mustBeSet(
    setting(
      about,
      { shown: 'required' },
      {
        schema: { type: 'string' },
        parse(name, value) {
          if (!ADDRESS.test(value)) throw new ConfigError(`${name} must be host:port.`);
          return value;
        },
      },
    ),
  );
