/** An assistant as a request names it. */
interface Named {
  account: string;
  kind: string;
  id: string;
}

/** What assistants had attached when they were last asked, by what was asked for: so that a search may begin with it. */
export interface Recall {
  attachedTo(assistant: Named): readonly string[] | undefined;
  remember(assistant: Named, items: readonly string[]): void;
}

const MAX_ASSISTANTS = 1_000;

/** Keeps the assistants that were asked last. */
export function createRecall(): Recall {
  const attached = new Map<string, readonly string[]>();
  const keyOf = ({ account, kind, id }: Named) => [account, kind, id].join(' ');

  return {
    attachedTo: (assistant) => attached.get(keyOf(assistant)),
    remember(assistant, items) {
      const key = keyOf(assistant);
      attached.delete(key);
      attached.set(key, items);
      if (attached.size > MAX_ASSISTANTS) attached.delete(attached.keys().next().value!);
    },
  };
}
