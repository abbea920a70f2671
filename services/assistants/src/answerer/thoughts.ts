const TAGS = '(?:think|thinking|thought|reasoning)';
const tag = new RegExp(`<(/?)${TAGS}>`, 'i');
/** Matches the beginning of a possible tag. */
const beginning = /<[/a-z]{0,11}$/i;

export interface Written {
  write(text: string): void;
  /** Treats the text so far as a thought: some servers leave out the tag that opens it. */
  restart(): void;
}

/** Passes on what a model writes but for its thoughts, which some servers leave in the text, between tags. */
export function withoutThoughts({ write, restart }: Written, isHeld: boolean) {
  let pending = '';
  let isThought = false;

  function read(isLast: boolean) {
    for (let found = tag.exec(pending); found; found = tag.exec(pending)) {
      const [all, closes] = found;
      if (closes && !isThought) restart();
      else if (!isThought) write(pending.slice(0, found.index));
      isHeld &&= !closes;
      isThought = !closes;
      pending = pending.slice(found.index + all.length);
    }
    if (isHeld && !isLast) return;
    const rest = isLast ? '' : (beginning.exec(pending)?.[0] ?? '');
    if (!isThought) write(pending.slice(0, pending.length - rest.length));
    pending = rest;
  }

  return {
    push(text: string) {
      pending += text;
      if (!isHeld || text.includes('>')) read(false);
    },
    end: () => read(true),
  };
}
