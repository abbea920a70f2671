export interface Step {
  readonly pageUrl: string;
  /** Links from the start page, which is 0. */
  readonly depth: number;
}

export interface Frontier {
  /** Pages that were neither added nor refused before; none once there is no room for more. */
  unknown(pageUrls: readonly string[]): string[];
  /** Adds pages to visit. Leaves out those that were seen before, are too deep or exceed the limit. */
  add(pageUrls: readonly string[], depth: number): void;
  /** Remembers, while there is room, that these may not be visited. */
  refuse(pageUrls: readonly string[]): void;
  next(): Step | undefined;
  /** Claims a name in the list of pages; false if another address of the same page has claimed it. */
  list(pageUrl: string): boolean;
  readonly listed: number;
  readonly waiting: number;
  /** Which limits kept pages out. */
  readonly left: ReadonlySet<'depth' | 'pages'>;
}

export interface FrontierBounds {
  readonly depth: number;
  /** Addresses remembered. */
  readonly addresses: number;
}

/** The known pages of a site, breadth first. Each address is visited once, each page listed once. */
export function createFrontier(bounds: FrontierBounds): Frontier {
  const seen = new Set<string>();
  const refused = new Set<string>();
  const listed = new Set<string>();
  const queue: Step[] = [];
  const left = new Set<'depth' | 'pages'>();
  let first = 0;

  function addOne(step: Step) {
    if (seen.has(step.pageUrl)) return;
    if (step.depth > bounds.depth) left.add('depth');
    else if (seen.size >= bounds.addresses) left.add('pages');
    else {
      seen.add(step.pageUrl);
      queue.push(step);
    }
  }

  return {
    unknown(pageUrls) {
      const found = pageUrls.filter((pageUrl) => !seen.has(pageUrl) && !refused.has(pageUrl));
      if (found.length === 0 || seen.size < bounds.addresses) return found;
      left.add('pages');
      return [];
    },
    refuse(pageUrls) {
      for (const pageUrl of pageUrls) if (refused.size < bounds.addresses) refused.add(pageUrl);
    },
    add(pageUrls, depth) {
      for (const pageUrl of pageUrls) addOne({ pageUrl, depth });
    },
    next() {
      while (first < queue.length) {
        const step = queue[first++]!;
        if (!listed.has(step.pageUrl)) return step;
      }
      return undefined;
    },
    list(pageUrl) {
      const isNew = !listed.has(pageUrl);
      listed.add(pageUrl);
      return isNew;
    },
    get listed() {
      return listed.size;
    },
    get waiting() {
      return queue.length - first;
    },
    left,
  };
}
