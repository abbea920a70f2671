export {
  type DocumentBatch,
  nextParts,
  type OpenDocument,
  openDocument,
} from './open-document.ts';
export type { DocumentLimits, DocumentPart, DocumentText, RecognitionLimits } from './part.ts';
export { parseLanguages } from './recognition/languages.ts';
