import { parse } from 'yaml';

/** Answers may be tuned on some sites; the others say whether that was worth anything. */
export const SETS = ['tune', 'held-out'] as const;
/** Those of the manuals are old: many rules were made with them in view. */
export type GroundSet = (typeof SETS)[number] | 'manuals';

/**
 * answerable: a section answers it. near: of the same field, but no page answers it. opening and followUp: the turns of a
 * conversation. otherLanguage: answerable, in another language than the site's. foreign: what is asked about another site.
 */
export const KINDS = ['answerable', 'near', 'foreign', 'opening', 'followUp', 'otherLanguage'] as const;
export type Kind = (typeof KINDS)[number];

export interface Question {
  /** Names it across runs: its site, kind and number. */
  id: string;
  kind: Kind;
  /** The set of the site that it was written for. */
  set: GroundSet;
  /** Earlier questions of the same conversation. */
  before: string[];
  ask: string;
  /** Where the answer stands, `page#anchor`: in any of them. Empty if nowhere. */
  sections: string[];
  /** A right answer holds every one of them, in any of its wordings. */
  facts: string[][];
  /** The pieces of the page that a reader needs, verbatim; empty if nobody has said. */
  needs: string[];
  /** True if any owner's pages may answer it, as those about opening hours do: it is foreign nowhere. */
  anywhere: boolean;
}

interface Written {
  ask: string;
  in: string | string[];
  /** A fact has one wording or several; a wording between slashes is a regular expression. */
  facts: (string | string[])[];
  needs?: string | string[];
  anywhere?: boolean;
}

interface QuestionFile {
  answerable: Written[];
  near: string[];
  conversations?: Written[][];
  otherLanguage?: Written[];
}

/** Reads the text of a `questions.yaml`. */
export function questionsOf({ name, set }: { name: string; set: GroundSet }, text: string): Question[] {
  const file = parse(text) as QuestionFile;
  const one = (kind: Kind, written: Written, number: number | string, before: string[] = []): Question => ({
    ...{ id: `${name}/${kind}/${number}`, kind, set, before, ask: written.ask },
    sections: [written.in].flat(),
    facts: written.facts.map((fact) => [fact].flat().map(String)),
    needs: [written.needs ?? []].flat(),
    anywhere: written.anywhere === true,
  });
  const unanswered = (ask: string, i: number): Question => ({
    ...{ id: `${name}/near/${i + 1}`, kind: 'near', set, before: [], ask },
    ...{ sections: [], facts: [], needs: [], anywhere: false },
  });
  return [
    ...file.answerable.map((written, i) => one('answerable', written, i + 1)),
    ...file.near.map(unanswered),
    ...(file.conversations ?? []).flatMap((turns, i) =>
      turns.map((turn, j) => {
        const before = turns.slice(0, j).map(({ ask }) => ask);
        return one(j === 0 ? 'opening' : 'followUp', turn, `${i + 1}.${j + 1}`, before);
      }),
    ),
    ...(file.otherLanguage ?? []).map((written, i) => one('otherLanguage', written, i + 1)),
  ];
}

/** Splits `page#anchor`. */
export function place(section: string): { page: string; anchor: string } {
  const [page = '', anchor = ''] = section.split('#');
  return { page, anchor };
}
