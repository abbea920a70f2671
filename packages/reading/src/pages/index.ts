export { type PageContent, readContent } from './page-content.ts';
