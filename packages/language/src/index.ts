export { type Analyzer, createAnalyzer, MAX_QUERY_LANGUAGES, type QueryWord, questionAnalyzer } from './analyze.ts';
export { splitsOf } from './compounds.ts';
export { languageOf, primaryTag } from './detect.ts';
export { type Names, namesOf } from './names.ts';
export { numberWords } from './numbers.ts';
export { type Segment, segmentsOf, sentencesOf, wordsOf } from './segments.ts';
export { separatedVerbs } from './separable.ts';
