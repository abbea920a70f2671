/**
 * The state that outlives the page: the visitor's token, and the question under way. It is kept in the page's own storage, for each
 * chatbot, and for each user that the page vouches for, so that nobody sees the conversation of another person who used the
 * same browser. Where storage is refused, it lives as long as the page.
 */
export interface Memory {
  token: string | undefined;
  /** A question whose answer is not here yet, with the key of its request. */
  asking: Asking | undefined;
  /**
   * Goes on with what is kept for this user; who has nothing yet takes over the conversation that they began before they
   * were known. True if that is another conversation than before.
   */
  switchTo(user: string | undefined): boolean;
}

interface Asking {
  key: string;
  message: string;
}

interface Kept {
  token?: string | undefined;
  asking?: Asking | undefined;
}

export function createMemory(chatbot: string, storage: () => Storage = () => localStorage): Memory {
  const keyOf = (user: string | undefined) => `parley:${chatbot}${user === undefined ? '' : `:${user}`}`;
  const held = new Map<string, string>();
  let key = keyOf(undefined);

  const textAt = (place: string) => attempt(() => storage().getItem(place)) ?? held.get(place);
  const kept = (): Kept => attempt(() => JSON.parse(textAt(key) ?? '{}')) ?? {};

  function keep(change: Kept) {
    const next = { ...kept(), ...change };
    if (next.token === undefined && next.asking === undefined) {
      held.delete(key);
      attempt(() => storage().removeItem(key));
      return;
    }
    held.set(key, JSON.stringify(next));
    attempt(() => storage().setItem(key, JSON.stringify(next)));
  }

  return {
    get token() {
      return kept().token;
    },
    set token(token) {
      keep({ token });
    },
    get asking() {
      return kept().asking;
    },
    set asking(asking) {
      keep({ asking });
    },
    switchTo(user) {
      const [from, to] = [key, keyOf(user)];
      if (from === to) return false;
      const before = kept();
      const isJoined = from === keyOf(undefined) && textAt(to) === undefined;
      if (isJoined) keep({ token: undefined, asking: undefined });
      key = to;
      if (isJoined) keep(before);
      return !isJoined;
    },
  };
}

/** Undefined if the browser refuses. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
