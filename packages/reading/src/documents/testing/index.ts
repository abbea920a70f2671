/** Documents for the tests of several packages; in no image. */
export { HOSTILE, type HostileDocument } from './hostile.ts';
export { sample } from './sample.ts';
export { type WrittenImage, writePdf } from './write-pdf.ts';
