export interface Step {
  readonly pageUrl: string;
  /** Links from the start page, which is 0. */
  readonly depth: number;
}

export interface Frontier {
  /** Adds pages to visit. One that was seen before, is refused, lies too deep or is one too many is left out. */
  add(pageUrls: readonly string[], depth: number): void;
  next(): Step | undefined;
  /** Takes a name for the list of pages; false if it is taken, as another address of the same page has. */
  list(pageUrl: string): boolean;
  readonly listed: number;
  readonly waiting: number;
  /** What kept pages out, if anything did. */
  readonly left: 'depth' | 'pages' | undefined;
}

export interface FrontierBounds {
  readonly depth: number;
  /** Addresses remembered. */
  readonly addresses: number;
  allows(pageUrl: string): boolean;
}

/** The pages of a site that are known: breadth first, each address visited once and each page listed once. */
export function createFrontier(bounds: FrontierBounds): Frontier {
  const seen = new Set<string>();
  const listed = new Set<string>();
  const queue: Step[] = [];
  let first = 0;
  let left: Frontier['left'];

  function addOne(step: Step) {
    if (seen.has(step.pageUrl) || !bounds.allows(step.pageUrl)) return;
    if (step.depth > bounds.depth) left ??= 'depth';
    else if (seen.size >= bounds.addresses) left = 'pages';
    else {
      seen.add(step.pageUrl);
      queue.push(step);
    }
  }

  return {
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
    get left() {
      return left;
    },
  };
}
