import type { Passage } from '../../domain/cite.ts';
import { showPassages } from '../shown.ts';

/** All of the passages, as a model with a large context sees them. */
export const shownWhole = (passages: readonly Passage[]) => showPassages(passages, 1_000_000);
