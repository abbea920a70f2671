export { joinChunks } from './join-chunks.ts';
export { type Joint, type Piece, SPLITTING, type SplitText, split } from './split.ts';
