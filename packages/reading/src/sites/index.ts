export * from './address.ts';
export { chosenPages } from './chosen-pages.ts';
export type { PathPatterns } from './path-patterns.ts';
export * from './robots-rules.ts';
export { both, canonicalOfHeader, headerTags, NO_TAGS, type RobotsTags } from './robots-tags.ts';
export * from './sitemap-file.ts';
