export { type Analyzer, createAnalyzer, MAX_QUERY_LANGUAGES, type QueryWord, questionAnalyzer } from './analyze.ts';
export { splitsOf } from './compounds.ts';
export { languageOf, primaryTag } from './detect.ts';
export { type Facts, factsOf, plainFacts, type Quantity } from './facts.ts';
export {
  isKnownDay,
  isKnownPhone,
  isKnownQuantity,
  isKnownTime,
  isMoney,
  joinedFacts,
} from './known-facts.ts';
export { numberWords } from './numbers.ts';
export { type Segment, segmentsOf, sentencesOf, wordsOf } from './segments.ts';
export { separatedVerbs } from './separable.ts';
