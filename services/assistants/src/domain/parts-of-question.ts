/** Longer messages tell a story; their sentences are no questions of their own. */
const MAX_LENGTH = 600;
const MAX_PARTS = 3;
/** Characters. A shorter part, such as "And why?", asks nothing by itself. */
const MIN_PART = 12;

/** By language: what joins two questions, and what the second one begins with. */
const JOINING: readonly [joints: string, asking: string][] = [
  [
    'and(?: also)?|plus|or',
    "how|what(?:'s)?|where|when|why|who|whom|whose|which|can|could|do|does|did|is|are|was|were|should|will|would|must|may|has|have",
  ],
  [
    'und(?: auch)?|sowie|oder',
    'wie|was|wo|woher|wohin|womit|wann|warum|wieso|weshalb|wer|wen|wem|welche[rsnm]?|kann|könnte|muss|soll|sollte|darf|gibt|ist|sind|hat|haben',
  ],
  [
    'et(?: aussi)?|ou',
    'comment|que|quel(?:le)?s?|où|quand|pourquoi|qui|combien|est-ce|peut|peut-on|puis-je|dois-je|faut-il',
  ],
  ['y|e|o', 'cómo|qué|dónde|cuándo|por qué|quién|cuál(?:es)?|cuánt[oa]s?|puedo|debo|se puede|hay'],
  ['e|ou', 'como|o que|onde|quando|por que|quem|qual|quais|quant[oa]s?|posso|devo'],
  ['e|ed|o', 'come|(?:che )?cosa|dove|quando|perché|chi|qual[ei]?|quant[oaie]|posso|devo|si può'],
  ['en|of', 'hoe|wat|waar|wanneer|waarom|wie|welke?|kan|mag|moet|is'],
  ['и|а|или', 'как|что|где|куда|откуда|когда|почему|зачем|кто|как(?:ой|ая|ое|ие|ов)|сколько|можно|нужно|чем|есть ли'],
  ['ve|veya', 'nasıl|ne|nerede|neden|niçin|kim|hangi|kaç'],
  ['و|یا', 'چگونه|چطور|چه|چی|کجا|کی|چرا|کدام|چند|آیا|می‌توان|كيف|ما|ماذا|أين|متى|لماذا|من|هل|كم'],
  ['i|oraz|lub', 'jak|co|gdzie|kiedy|dlaczego|kto|któr[yae]|ile|czy'],
];
const joints = JOINING.map(
  ([joints, asking]) => `(?:[,;]\\s*)?\\s(?:${joints})\\s+(?=(?:${asking})(?![\\p{L}\\p{N}]))`,
);
// Arabic writes "and" as part of the next word.
const arabic = '\\s+و(?=(?:كيف|ماذا|ما|أين|متى|لماذا|من|هل|كم)\\s)';
const boundary = new RegExp([...joints, arabic].join('|'), 'giu');
const ending = /(?<=[?？؟])\s*/u;

/**
 * The questions in a message that asks several things, such as "How do I install it, and where are its settings?". Empty if
 * it asks one.
 */
export function partsOfQuestion(message: string): string[] {
  if (message.length > MAX_LENGTH) return [];
  const questions = message.split(ending).filter((sentence) => /[?？؟]/u.test(sentence));
  const parts = (questions.length > 0 ? questions : [message])
    .flatMap((question) => question.split(boundary))
    .map((part) => part.trim())
    .filter((part) => part.length >= minLength(part));
  return parts.length < 2 ? [] : parts.slice(0, MAX_PARTS);
}

/** Ideographs say more in less room. */
const minLength = (part: string): number => (/[\p{sc=Han}\p{sc=Hira}\p{sc=Hang}]/u.test(part) ? 4 : MIN_PART);
