import type { TargetedKeyboardEvent, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { VisitState } from '../visit/store.ts';
import { Person, Send, Stop } from './icons.tsx';
import type { Ui } from './ui.ts';

/** As the API has it, in code points; this counts UTF-16 units, which are never fewer. */
const LONGEST_MESSAGE = 10_000;
const TALLEST_PX = 132;

interface Props {
  state: VisitState;
  ui: Ui;
  /** The draft. */
  text: string;
  setText(text: string): void;
  toPerson: (() => void) | undefined;
}

/** Where the visitor writes; Enter sends, Shift+Enter begins a line. */
export function Composer({ state, ui, text, setText, toPerson }: Props): VNode {
  const { words, visit } = ui;
  const field = useRef<HTMLTextAreaElement>(null);
  const asking = state.turns.find((turn) => turn.state === 'asking');

  // As tall as its text.
  useLayoutEffect(() => {
    const { style, scrollHeight } = field.current ?? {};
    if (!style) return;
    style.height = 'auto';
    style.height = `${Math.min(TALLEST_PX, text === '' ? 0 : (field.current?.scrollHeight ?? scrollHeight!))}px`;
  }, [text]);

  function send(event?: Event) {
    event?.preventDefault();
    if (asking || text.trim() === '') return;
    setText('');
    visit.ask(text.trim());
  }
  function onKeyDown(event: TargetedKeyboardEvent<HTMLTextAreaElement>) {
    // While an input method composes a word, Enter chooses it.
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) send(event);
  }

  return (
    <footer>
      {state.blocked ? (
        <p class="blocked" role="alert">
          {words.blocked}
        </p>
      ) : (
        <form class="composer" onSubmit={send}>
          <textarea
            ref={field}
            rows={1}
            dir={text === '' ? undefined : 'auto'}
            maxLength={LONGEST_MESSAGE}
            aria-label={words.message}
            placeholder={words.write}
            enterkeyhint="send"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          <button
            type={asking ? 'button' : 'submit'}
            class="send"
            aria-label={asking ? words.stop : words.send}
            title={asking ? words.stop : words.send}
            aria-disabled={!asking && text.trim() === ''}
            onClick={asking && (() => visit.stop(asking.key))}
          >
            {asking ? <Stop /> : <Send />}
          </button>
        </form>
      )}
      <p class="small">
        <span>{words.caution}</span>
        {toPerson && (
          <button type="button" class="link" onClick={toPerson}>
            <Person />
            {words.person}
          </button>
        )}
      </p>
    </footer>
  );
}
