export { type Analyzer, createAnalyzer, MAX_QUERY_LANGUAGES, type QueryWord, questionAnalyzer } from './analyze.ts';
export { languageOf, primaryTag } from './detect.ts';
export { type Facts, factsOf, plainFacts } from './facts/facts.ts';
export { areFactsIn, searchedText } from './facts/support.ts';
export { segmentsOf } from './segments.ts';
export { createSentenceStream } from './sentence-stream.ts';
