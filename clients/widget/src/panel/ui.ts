import type { Visit } from '../visit/visit.ts';
import type { Words } from '../words/en.ts';

/** The dependencies of every part of the panel. */
export interface Ui {
  visit: Visit;
  words: Words;
  /** It is a page for itself, not an element of one. */
  isPage: boolean;
  /** Absent from a page for itself. */
  close?: (() => void) | undefined;
  newKey(): string;
}
