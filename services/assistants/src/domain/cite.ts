/** A passage that an answer may rest on. */
export interface Passage {
  /** Title of its page, or the question of its FAQ item; may be empty. */
  title: string;
  /** Where a reader finds it; empty where there is no such place. */
  url: string;
  text: string;
  /** 0 to 1, comparable within one search only. */
  score: number;
}

export interface Source {
  /** The mark [n] in the answer; 1 is the first that is cited. */
  n: number;
  title: string;
  url: string;
}

export interface CitedAnswer {
  /** With [n] marks, and a closing list of the sources where there are any. */
  message: string;
  sources: Source[];
}

/** Part of an answer, and the passages that it rests on. */
export interface Statement {
  text: string;
  passages: readonly Pick<Passage, 'title' | 'url'>[];
}

/** What is said where the knowledge holds no answer. */
export const NO_EVIDENCE: CitedAnswer = {
  message: 'I could not find an answer to that in the knowledge I have been given.',
  sources: [],
};

/** What a passage or a model wrote like a mark of ours; an index, as in `list[0]`, is none. */
const foreignMark = /(?:[ \t]+|(?<=^|[\n.,;:!?"')]))(?:\[\d{1,3}\])+(?!\()/g;

/** Puts statements together: each with its marks, the sources numbered in the order of their first citation. */
export function cite(statements: readonly Statement[]): CitedAnswer {
  const sources = new Map<string, Source>();
  const mark = ({ title, url }: Pick<Passage, 'title' | 'url'>) => {
    // Passages of one page are one source.
    const key = url || `title ${title}`;
    const source = sources.get(key) ?? { n: sources.size + 1, title: oneLine(title), url };
    sources.set(key, source);
    return `[${source.n}]`;
  };
  const parts = statements.map(({ text, passages }) => {
    const marks = new Set(passages.map(mark));
    return [text.replace(foreignMark, '').trim(), [...marks].join('')].filter(Boolean).join(' ');
  });
  const list = [...sources.values()];
  return { message: [...parts, closing(list)].filter(Boolean).join('\n\n'), sources: list };
}

const CLOSING = 'Sources:';

function closing(sources: readonly Source[]): string {
  if (sources.length === 0) return '';
  const lines = sources.map(({ n, title, url }) => `[${n}] ${[title, url].filter(Boolean).join(' - ') || 'Untitled'}`);
  return [CLOSING, ...lines].join('\n');
}

/** What an answer said, without its marks and its list of sources. */
export function withoutCitations(message: string): string {
  const end = message.lastIndexOf(`\n\n${CLOSING}\n[1] `);
  return (end === -1 ? message : message.slice(0, end)).replace(/ (\[\d{1,3}\])+(?=\s|$)/g, '');
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
