import type { CitedAnswer, Passage, Source } from '../domain/cite.ts';

export interface Said {
  by: 'user' | 'assistant';
  message: string;
}

/** The last message, and those before it. */
export interface Asked {
  question: string;
  /** Earlier messages, oldest first. */
  history: readonly Said[];
  /** Whose budget of tokens pays for a model. */
  account?: string;
}

export interface Question extends Asked {
  /** Passages that may be about it, best first; at least one. */
  passages: readonly Passage[];
  /** The query: the question, with words of the history if it can't be understood alone. */
  searched?: string;
  /** How the owner wants answers to sound, in words for a model. */
  tone?: string;
  /** BCP 47 tag of the question's language, if it is known. */
  language?: string;
  /** The owner's text before a quote that may not answer the question. */
  lowConfidence?: string | null;
}

/** Receives an answer while it is written. Parts in order are the message without its list of sources. */
export interface AnswerSink {
  text(part: string): void;
  /** All sources so far, before the first part that needs a new one. */
  sources(all: readonly Source[]): void;
}

/** How to search for a message. */
export interface Rewritten {
  /** The message as one that stands alone, and the same in other languages. */
  queries: readonly string[];
  /** True if it asks for nothing, such as thanks: there is nothing to search. */
  asksNothing: boolean;
}

/** Turns passages into an answer. */
export interface Answerer {
  /** Its kind and its version or model, such as `extractive/1`. Stored with every answer. */
  name: string;
  /**
   * Every source of the answer is one of the passages. What the sink gets is final; an answerer may leave it empty. Rejects
   * with the signal's reason once it aborts, or with an error for operators, whose message has no secrets.
   */
  answer(question: Question, signal: AbortSignal, sink?: AnswerSink): Promise<CitedAnswer>;
  /**
   * Says how to search for a message in these languages (BCP 47) besides its own. If that fails for any reason but the
   * signal, the message itself is the query.
   */
  rewrite?(asked: Asked, languages: readonly string[], signal: AbortSignal): Promise<Rewritten>;
}
