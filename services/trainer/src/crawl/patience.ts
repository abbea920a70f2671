import { LateAnswer, LoadError } from './http/load-error.ts';

/** Ends the whole crawl, not one page. */
export class SiteGivenUp extends LoadError {
  override readonly name = 'SiteGivenUp';
}

/** A page that could not be read within its time or memory. */
export class UnreadablePage extends LoadError {
  override readonly name = 'UnreadablePage';
}

/** Each keeps a reader process busy for up to 20 s. */
const MAX_UNREADABLE = 5;
/** Each costs only 20 s of the training's time. */
const MAX_LATE_IN_A_ROW = 10;

/** Decides when a crawl gives up a site that wastes its time. */
export interface Patience {
  /** Records why a page failed. Throws SiteGivenUp once there are too many such failures. */
  failed(error: LoadError): void;
  /** The site answered. */
  answered(): void;
}

export function createPatience(): Patience {
  let unreadable = 0;
  let late = 0;
  return {
    failed(error) {
      late = error instanceof LateAnswer ? late + 1 : 0;
      if (error instanceof UnreadablePage) unreadable++;
      if (late === MAX_LATE_IN_A_ROW)
        throw new SiteGivenUp(`The site was given up: ${late} pages in a row did not answer in time.`);
      if (unreadable === MAX_UNREADABLE)
        throw new SiteGivenUp(`The site was given up: ${unreadable} of its pages are too complex to be read.`);
    },
    answered() {
      late = 0;
    },
  };
}
