import { primaryTag } from '@parley/language';
import { subsetOf } from './bootstrap.ts';
import type { Question } from './questions.ts';
import type { Ground } from './sites.ts';

/** So many questions about others are put to each site. */
const FOREIGN = 60;

/** Questions about the other sites of the same language, the same ones each time. */
export function foreignTo(site: Ground, sites: readonly Ground[]): Question[] {
  const language = primaryTag(site.language);
  const others = sites.filter(
    (other) => other !== site && primaryTag(other.language) === language && other.owner !== site.owner,
  );
  const questions = others
    .flatMap(({ questions }) => questions)
    .filter(({ kind, anywhere }) => kind === 'answerable' && !anywhere);
  return subsetOf(questions, FOREIGN).map(({ id, ask, set }) => ({
    ...{ id: `${site.name}/foreign/${id}`, kind: 'foreign', set, before: [], ask },
    ...{ sections: [], facts: [], needs: [], anywhere: false },
  }));
}
