import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Answer } from '../answer/answer.tsx';
import { type Api, type Failure, failureOf, type OwnTicket } from '../visit/api.ts';
import { explained } from './explained.ts';
import { Send } from './icons.tsx';
import type { FormUi } from './ticket-form.tsx';

interface Props extends Pick<FormUi, 'words' | 'newKey'> {
  api: Pick<Api, 'ticket' | 'write'>;
  token: string;
}

/** As the API has it. */
const LONGEST_MESSAGE = 10_000;
const OVER = ['resolved', 'closed'];

/** A ticket as the person behind it sees it: what was said, and where to write more. */
export function OwnTicketPage({ api, token, words, newKey }: Props): VNode {
  const [ticket, setTicket] = useState<OwnTicket>();
  const [failure, setFailure] = useState<Failure>();
  const [text, setText] = useState('');
  // The same until it has arrived, so that a message that is sent again is said once.
  const key = useRef(newKey());
  const isBusy = useRef(false);

  async function attempt(work: () => Promise<unknown>) {
    if (isBusy.current) return;
    isBusy.current = true;
    setFailure(undefined);
    try {
      await work();
      const found = await api.ticket(token);
      document.title = found.title;
      setTicket(found);
    } catch (error) {
      setFailure(failureOf(error));
    }
    isBusy.current = false;
  }
  const load = () => attempt(async () => {});
  useEffect(() => {
    load();
    const seen = () => document.visibilityState === 'visible' && load();
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, []);

  function send(event: Event) {
    event.preventDefault();
    if (text.trim() === '') return;
    attempt(async () => {
      await api.write(token, text.trim(), key.current);
      key.current = newKey();
      setText('');
    });
  }

  // It was revoked, or is none.
  if (failure && [400, 404].includes(failure.status) && (failure.status === 404 || !ticket))
    return (
      <div class="notice" role="alert">
        <h1>{words.gone}</h1>
      </div>
    );
  return (
    <>
      {ticket && <Said ticket={ticket} words={words} />}
      {!ticket && !failure && <span class="dots" />}
      {failure && (
        <div class="failed" role="alert">
          <p>{failure.status === 403 ? words.blocked : explained(failure, words)}</p>
          {!ticket && (
            <button type="button" class="plain" onClick={load}>
              {words.retry}
            </button>
          )}
        </div>
      )}
      {ticket && (
        <footer>
          <form class="composer" onSubmit={send}>
            <textarea
              rows={3}
              dir={text === '' ? undefined : 'auto'}
              maxLength={LONGEST_MESSAGE}
              aria-label={words.message}
              placeholder={words.write}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
            <button
              type="submit"
              class="send"
              aria-label={words.send}
              title={words.send}
              aria-disabled={text.trim() === ''}
            >
              <Send />
            </button>
          </form>
          {OVER.includes(ticket.status) && <p class="small">{words.over}</p>}
        </footer>
      )}
    </>
  );
}

const Said = ({ ticket: { title, conversation }, words }: { ticket: OwnTicket } & Pick<Props, 'words'>): VNode => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which needs the keyboard too.
  <section class="scroller" tabIndex={0} aria-label={words.conversation}>
    <h1 dir="auto">{title}</h1>
    {conversation.map(({ role, message }) =>
      role === 'user' ? (
        <div class="question">
          <span class="hidden">{words.you} </span>
          <div dir="auto">{message}</div>
        </div>
      ) : (
        <div class="bubble">
          <div class="text" dir="auto">
            <Answer text={message} sources={[]} nameOf={({ title }) => title} />
          </div>
        </div>
      ),
    )}
  </section>
);
