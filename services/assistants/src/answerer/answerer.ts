import type { CitedAnswer, Passage } from '../domain/cite.ts';

export interface Said {
  by: 'user' | 'assistant';
  message: string;
}

/** What was said last, and before. */
export interface Asked {
  question: string;
  /** Earlier messages, oldest first. */
  history: readonly Said[];
  /** Whose budget of tokens pays for a model. */
  account?: string;
}

export interface Question extends Asked {
  /** Passages with evidence, best first; at least one. */
  passages: readonly Passage[];
  /** What was searched: the question, with words of the history if it can't be understood alone. */
  searched?: string;
  /** How the owner wants answers to sound, in words for a model. */
  tone?: string;
  /** BCP 47 tag of the question's language, if it is known. */
  language?: string;
  /** What the owner has it say before a quote that may not answer the question. */
  lowConfidence?: string | null;
}

/** Turns passages into an answer. */
export interface Answerer {
  /** Its kind and its version or model, such as `extractive/1`. Stored with every answer. */
  name: string;
  /**
   * Every source of the answer is one of the passages, and every sentence of it is supported by them. Rejects with the
   * signal's reason once it aborts, or with an error for operators, whose message has no secrets.
   */
  answer(question: Question, signal: AbortSignal): Promise<CitedAnswer>;
  /**
   * Returns a question that can be understood without the history. Returns it unchanged where it can already, and if
   * rewriting fails for any reason but the signal, with whose reason it rejects.
   */
  rewrite?(asked: Asked, signal: AbortSignal): Promise<string>;
}
