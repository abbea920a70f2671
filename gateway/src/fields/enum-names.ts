import { z } from 'zod';

type NameOf<E> = Lowercase<Exclude<keyof E & string, 'UNSPECIFIED'>>;

/** The contract's names of an enum's values: its own in lower case, without `UNSPECIFIED`. `id` names the schema. */
export function enumNames<E extends Record<string, number>>(of: E, id: string) {
  type Value = E[keyof E];
  const names = new Map<NameOf<E>, Value>();
  for (const [name, value] of Object.entries(of))
    if (name !== 'UNSPECIFIED') names.set(name.toLowerCase() as NameOf<E>, value as Value);
  return {
    names: [...names.keys()],
    schema: z.enum([...names.keys()]).meta({ id }),
    valueOf: (name: NameOf<E>): Value => names.get(name)!,
    /** Throws for a value that this version does not know. */
    nameOf(value: number): NameOf<E> {
      for (const [name, known] of names) if (known === value) return name;
      throw new Error(`unknown value ${value} of ${[...names.keys()].join(', ')}`);
    },
  };
}
