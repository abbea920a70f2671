/** A section of an owner's pages. */
export interface Section {
  title: string;
  text: string;
  headings?: string[];
  language?: string;
  isFaq?: boolean;
}

/**
 * A model's answer to a question. `{name}` stands for the number of the section with that name, `{a,b}` for `[1, 2]`,
 * and `{-}` for the number of a passage that is not there.
 */
export type Exchange = [question: string, written: string];

export interface Site {
  sections: Record<string, Section>;
  /** As a capable model answers. */
  good: Exchange[];
  /** Exchanges that no visitor may read. */
  lies: Exchange[];
}
