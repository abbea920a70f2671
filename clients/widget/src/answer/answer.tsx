import type { ComponentChildren, VNode } from 'preact';
import { type Block, blocksOf } from './blocks.ts';

export interface Source {
  /** The number of its mark in the text. */
  n: number;
  title: string;
  /** Null if it has no address. */
  url: string | null;
}

interface Props {
  text: string;
  sources: readonly Source[];
  /** The accessible name of the link behind a mark. */
  nameOf(source: Source): string;
}

/** The text of an answer. Everything becomes a text node, and only the marks of sources become links. */
export const Answer = ({ text, ...inline }: Props): VNode => <>{blocksOf(text).map((block) => show(block, inline))}</>;

type Inline = Omit<Props, 'text'>;

function show(block: Block, inline: Inline): VNode {
  switch (block.kind) {
    case 'paragraph':
      return <p>{broken(block.lines, inline)}</p>;
    case 'heading':
      return (
        <p>
          <strong>{broken(block.lines, inline)}</strong>
        </p>
      );
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which needs the keyboard too.
        <pre tabIndex={0} dir="ltr">
          <code>{block.text}</code>
        </pre>
      );
    case 'list': {
      const items = block.items.map((item) => (
        <li>{item.map((part, i) => (i === 0 ? tight(part, inline) : show(part, inline)))}</li>
      ));
      return block.start === undefined ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which needs the keyboard too.
        <div class="table" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell) => (
                  <th scope="col">{marked(cell, inline)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row) => (
                <tr>
                  {row.map((cell) => (
                    <td>{marked(cell, inline)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

/** The first paragraph of a list item, without the space around a paragraph. */
const tight = (block: Block, inline: Inline): ComponentChildren =>
  block.kind === 'paragraph' ? broken(block.lines, inline) : show(block, inline);

const broken = (lines: readonly string[], inline: Inline): ComponentChildren =>
  lines.flatMap((line, i) => (i === 0 ? marked(line, inline) : [<br />, ...marked(line, inline)]));

const CODE = /`([^`]+)`/;
const BOLD = /\*\*(?=\S)([^*]+)\*\*/;
/** With the punctuation after it, which must not begin a line. */
const MARK = /\[(\d{1,3})\]((?:(?!\*)[\p{Po}\p{Pe}\p{Pf}]){0,3})/u;
/** Each alternative ends at the next character of its kind, so that scanning takes linear time. */
const INLINE = new RegExp([CODE, BOLD, MARK].map(({ source }) => source).join('|'), 'gu');

/** Text with code, bold words and the marks of sources. */
function marked(text: string, inline: Inline): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, bold, mark, closing = ''] = match;
    if (match.index > end) parts.push(text.slice(end, match.index));
    if (code !== undefined) parts.push(<code>{code}</code>);
    else if (bold !== undefined) parts.push(<strong>{marked(bold, inline)}</strong>);
    else parts.push(citation(Number(mark), closing, inline));
    end = match.index + whole.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** A mark that names no source stays text. */
function citation(n: number, closing: string, { sources, nameOf }: Inline): ComponentChildren {
  const source = sources.find((candidate) => candidate.n === n);
  if (!source) return `[${n}]${closing}`;
  const { url, title } = source;
  const href = webAddress(url);
  return (
    <span class="mark">
      <sup title={title}>
        {href === undefined ? (
          n
        ) : (
          <a href={href} target="_blank" rel="noopener noreferrer" aria-label={nameOf(source)}>
            {n}
          </a>
        )}
      </sup>
      {closing}
    </span>
  );
}

/** An address as a link may have it: http and https only, so that no script runs. */
export function webAddress(url: string | null): string | undefined {
  try {
    const { protocol, href } = new URL(url ?? '');
    return protocol === 'http:' || protocol === 'https:' ? href : undefined;
  } catch {
    return undefined;
  }
}
