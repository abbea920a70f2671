import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Answer, type Source, webAddress } from '../answer/answer.tsx';
import { isPassing } from '../visit/api.ts';
import type { VisitState } from '../visit/store.ts';
import type { Turn } from '../visit/turns.ts';
import { filled } from '../words/words.ts';
import { explained } from './explained.ts';
import { Feedback } from './feedback.tsx';
import { Person, Unsure } from './icons.tsx';
import type { Ui } from './ui.ts';

/** Closer to the end than this, it follows what is written, until the question has reached the top. */
const NEAR_PX = 60;
const ABOVE_PX = 10;

interface Props {
  state: VisitState;
  ui: Ui;
  toPerson: (() => void) | undefined;
}

/** All that was said, with the latest in view. */
export function Transcript({ state, ui, toPerson }: Props): VNode {
  const { words, visit } = ui;
  const { chatbot, turns } = state;
  const scroller = useRef<HTMLElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    follows.current = true;
  }, [turns.length]);
  useLayoutEffect(() => {
    if (!follows.current) return;
    const { current } = scroller;
    const question = [...current!.querySelectorAll<HTMLElement>('.question')].at(-1);
    current!.scrollTop = Math.min(current!.scrollHeight, (question?.offsetTop ?? 0) - ABOVE_PX);
  }, [state]);
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = scroller.current!;
    follows.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which needs the keyboard too.
    <section ref={scroller} class="scroller" tabIndex={0} aria-label={words.conversation} onScroll={onScroll}>
      {state.expired && <p class="expired">{words.expired}</p>}
      <div class="bubble" dir="auto">
        {chatbot!.greeting ?? words.greeting}
      </div>
      {turns.length === 0 && chatbot!.suggestions.length > 0 && (
        <div class="suggestions">
          {chatbot!.suggestions.map((question) => (
            <button type="button" dir="auto" onClick={() => visit.ask(question)}>
              {question}
            </button>
          ))}
        </div>
      )}
      {turns.map((turn) => (
        <TurnView key={turn.key} turn={turn} ui={ui} toPerson={turn === turns.at(-1) ? toPerson : undefined} />
      ))}
    </section>
  );
}

interface TurnProps {
  turn: Turn;
  ui: Ui;
  toPerson: (() => void) | undefined;
}

function TurnView({ turn, ui, toPerson }: TurnProps): VNode {
  const { words } = ui;
  const { question, state, text, sources, confidence } = turn;
  const nameOf = ({ n, title }: Source) => filled(words.source, { n, title });
  return (
    <>
      {question !== undefined && (
        <div class="question">
          <span class="hidden">{words.you} </span>
          <div dir="auto">{question}</div>
        </div>
      )}
      {text !== '' && (
        <div class="bubble">
          <span class="hidden">{words.it} </span>
          {confidence === 'low' && (
            <p class="unsure">
              <Unsure />
              {words.unsure}
            </p>
          )}
          <div class="text" dir="auto">
            <Answer text={text} sources={sources} nameOf={nameOf} />
          </div>
          {sources.length > 0 && <Sources sources={sources} label={words.sources} />}
        </div>
      )}
      {state === 'asking' && (
        <p class="waiting">
          <span class="dots" />
          <span class="hidden">{words.thinking}</span>
        </p>
      )}
      {state === 'stopped' && <p class="aside">{words.stopped}</p>}
      {state === 'failed' && turn.failure?.status !== 403 && <Failed turn={turn} ui={ui} />}
      {state === 'answered' && turn.id !== undefined && <Feedback turn={turn} ui={ui} />}
      {state === 'answered' && confidence === null && toPerson && (
        <p class="offer">
          {words.personOffer}
          <button type="button" class="plain" onClick={toPerson}>
            <Person />
            {words.person}
          </button>
        </p>
      )}
    </>
  );
}

function Failed({ turn, ui: { words, visit } }: Pick<TurnProps, 'turn' | 'ui'>): VNode {
  const failure = turn.failure!;
  return (
    <div class="failed" role="alert">
      <p>{explained(failure, words)}</p>
      {isPassing(failure) && (
        <button type="button" class="plain" onClick={() => visit.retry(turn.key)}>
          {words.retry}
        </button>
      )}
      {failure.status === 400 && (
        <button type="button" class="plain" onClick={visit.newConversation}>
          {words.anew}
        </button>
      )}
    </div>
  );
}

/** Titles with the addresses that they lead to. */
const Sources = ({ sources, label }: { sources: readonly Source[]; label: string }): VNode => (
  <div class="sources">
    <p>{label}</p>
    <ul>
      {sources.map(({ n, title, url }) => {
        const href = webAddress(url);
        return (
          <li>
            <span class="number">{n}</span>
            {href === undefined ? (
              <span dir="auto">{title}</span>
            ) : (
              <a href={href} target="_blank" rel="noopener noreferrer" dir="auto">
                {title}
              </a>
            )}
          </li>
        );
      })}
    </ul>
  </div>
);
