export { type Analyzer, createAnalyzer, MAX_QUERY_LANGUAGES, type QueryWord, questionAnalyzer } from './analyze.ts';
export { splitsOf } from './compounds.ts';
export { languageOf, primaryTag } from './detect.ts';
export { type Names, namesOf } from './names.ts';
export { type Segment, segmentsOf } from './segments.ts';
export { separatedVerbs } from './separable.ts';
