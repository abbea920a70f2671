import { keepLatest } from '@parley/runtime';

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
    remember: (assistant, items) => keepLatest(attached, keyOf(assistant), items, MAX_ASSISTANTS),
  };
}
