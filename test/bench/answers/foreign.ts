import { languageOf, primaryTag } from '@parley/language';
import { subsetOf } from './bootstrap.ts';
import type { Question } from './questions.ts';
import type { Ground } from './sites.ts';

/** So many questions about others are put to each site. */
const FOREIGN = 60;

/** Questions about the sites of other owners in the language of this one, the same ones each time. */
export function foreignTo(site: Ground, sites: readonly Ground[]): Question[] {
  const questions = sites
    .filter(({ owner }) => owner !== site.owner)
    .flatMap((other) =>
      other.questions.filter((question) => languageAsked(question, other) === primaryTag(site.language)),
    );
  return subsetOf(
    questions.filter(({ anywhere }) => !anywhere),
    FOREIGN,
  ).map(({ id, ask, set }) => ({
    ...{ id: `${site.name}/foreign/${id}`, kind: 'foreign', set, before: [], ask },
    ...{ sections: [], facts: [], needs: [], anywhere: false },
  }));
}

/** Undefined for questions that nobody would ask of another site, or that may have no answer anywhere. */
function languageAsked({ kind, ask }: Question, { language }: Ground): string | undefined {
  if (kind === 'answerable') return primaryTag(language);
  const found = kind === 'otherLanguage' ? languageOf(ask) : undefined;
  return found && primaryTag(found);
}
