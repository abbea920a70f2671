import { joinChunks } from '@parley/reading/split';
import type { NumberedPassage, OpenBuild } from '../build/open-build.ts';
import type { Passage } from '../chunk.ts';

/** Characters of a section that a passage comes with; of an FAQ item, enough for any answer. */
const MAX_SECTION = 4_000;
const MAX_ANSWER = 20_000;

/** The section around a passage, joined from the passages of its section, or of its FAQ item. */
export function sectionOf(build: OpenBuild, passage: Passage, isFaq: boolean): string {
  if (passage.section === undefined && !isFaq) return passage.text;
  const near = build.around(passage.source, passage.index);
  const whole = near.filter(({ section }) => isFaq || section === passage.section);
  return joinChunks(around(whole, passage.index, isFaq ? MAX_ANSWER : MAX_SECTION));
}

/** The passage, then its neighbours in turn, as long as all together are short enough. */
function around(whole: readonly NumberedPassage[], place: number, limit: number): NumberedPassage[] {
  let from = whole.findIndex(({ index }) => index === place);
  let to = from + 1;
  let length = whole[from]!.text.length;
  const fits = (next: NumberedPassage | undefined) => {
    if (!next || length + next.text.length > limit) return false;
    length += next.text.length + 2;
    return true;
  };
  for (let grew = true; grew; ) {
    const after = fits(whole[to]);
    if (after) to += 1;
    const before = fits(whole[from - 1]);
    if (before) from -= 1;
    grew = after || before;
  }
  return whole.slice(from, to);
}
