import type { Ref, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { VisitState } from '../visit/store.ts';
import { Composer } from './composer.tsx';
import { explained } from './explained.ts';
import { Anew, Back, Chat, Close } from './icons.tsx';
import { TicketForm } from './ticket-form.tsx';
import { Transcript } from './transcript.tsx';
import type { Ui } from './ui.ts';

interface Props {
  state: VisitState;
  ui: Ui;
  /** Sentences for those who listen. */
  heard: readonly string[];
  frame: Ref<HTMLElement>;
}

/** The chat as a whole: a dialog beside the page, or a page for itself. */
export function Panel({ state, ui, heard, frame }: Props): VNode {
  const { words, isPage } = ui;
  const [isForm, showForm] = useState(false);
  const title = state.chatbot?.title ?? words.conversation;
  const Frame = (isPage ? 'main' : 'dialog') as 'main';
  return (
    <Frame ref={frame} class="panel" aria-label={title} tabIndex={-1}>
      <Header title={title} state={state} ui={ui} leave={isForm ? () => showForm(false) : undefined} />
      <Body state={state} ui={ui} isForm={isForm} showForm={showForm} />
      <div role="log" class="hidden" aria-label={words.news}>
        {heard.map((sentence, i) => (
          <p key={i}>{sentence}</p>
        ))}
      </div>
    </Frame>
  );
}

interface BodyProps extends Pick<Props, 'state' | 'ui'> {
  isForm: boolean;
  showForm(shown: boolean): void;
}

function Body({ state, ui, isForm, showForm }: BodyProps): VNode {
  const { words, visit } = ui;
  const { chatbot, failure, blocked } = state;
  const [text, setText] = useState('');
  if (failure && !chatbot) {
    const canRetry = failure.status !== 403 && failure.status !== 404;
    return (
      <div class="notice" role="alert">
        <p>
          {failure.status === 403 ? words.refused : failure.status === 404 ? words.missing : explained(failure, words)}
        </p>
        {canRetry && (
          <button type="button" class="plain" onClick={visit.load}>
            {words.retry}
          </button>
        )}
      </div>
    );
  }
  if (!chatbot)
    return (
      <div class="notice" role="status">
        <span class="dots" />
        <span class="hidden">{words.loading}</span>
      </div>
    );
  if (isForm) return <TicketForm ui={ui} hasTranscript={state.turns.length > 0} leave={() => showForm(false)} />;
  const toPerson = chatbot.ticket_form === null || blocked ? undefined : () => showForm(true);
  return (
    <>
      <Transcript state={state} ui={ui} toPerson={toPerson} />
      <Composer state={state} ui={ui} text={text} setText={setText} toPerson={toPerson} />
    </>
  );
}

interface HeaderProps extends Pick<Props, 'state' | 'ui'> {
  title: string;
  /** Back to the chat. */
  leave: (() => void) | undefined;
}

function Header({ title, state, ui, leave }: HeaderProps): VNode {
  const { words, visit, close, isPage } = ui;
  const Title = isPage ? 'h1' : 'h2';
  const canStartAnew = state.turns.length > 0 && !state.blocked && !leave;
  return (
    <header>
      {leave ? (
        <button type="button" class="round" aria-label={words.back} title={words.back} onClick={leave}>
          <Back />
        </button>
      ) : (
        <span class="avatar">
          <Chat />
        </span>
      )}
      <div class="title">
        <Title>
          <bdi>{title}</bdi>
        </Title>
        <p>{words.assistant}</p>
      </div>
      {canStartAnew && (
        <button type="button" class="round" aria-label={words.anew} title={words.anew} onClick={visit.newConversation}>
          <Anew />
        </button>
      )}
      {close && (
        <button type="button" class="round" aria-label={words.close} title={words.close} onClick={close}>
          <Close />
        </button>
      )}
    </header>
  );
}
