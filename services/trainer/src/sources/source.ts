/**
 * Texts that one step of a training has loaded, ready to be searched. A page of a website is one step, so that its state
 * is known as soon as it is done.
 */
export interface Step {
  /** None where a page could not be read. */
  sources: Source[];
  /** Pages, or FAQ items, that are done with this step; 1 where absent. */
  count?: number;
  /** Pages, or FAQ items, that are known so far, later ones included. */
  found: number;
  /** Runs when all of the step's chunks are stored. */
  done?(): Promise<void>;
}

/** One text with a title and an address: what a citation names. */
export interface Source {
  /** Unique in the build: a page's `page_url`, an FAQ item's id. */
  id: string;
  title: string;
  /** Empty where a reader finds it nowhere. */
  url: string;
  text: string;
}
