export { type PageBytes, type PageContent, readContent } from './page-content.ts';
