import { render } from 'preact';
import { paint } from '../colour.ts';
import type { PanelHandle, PanelOptions } from '../contract.ts';
import { createApi } from '../visit/api.ts';
import { createMemory } from '../visit/memory.ts';
import { createVisit } from '../visit/visit.ts';
import type { Words } from '../words/words.ts';
import { mountForm } from './form-page.tsx';
import { createFrame } from './frame.ts';
import { Panel } from './panel.tsx';

/** Put here by the bundle: the minified style sheet, and the words of one language. */
declare const PANEL_CSS: string;
declare const WORDS: Words;

/** Marks are for the eye; a sentence is heard without them. */
const MARKS = /(?<!\s)\s*\[\d{1,3}\]|\*\*|`/g;

/** Puts the chat into the launcher's shadow root. Loads nothing until it is opened. */
export function mount(options: PanelOptions): PanelHandle {
  const { root, wrapper, base, chatbot, language, isPage, isForm, close, emit } = options;
  const container = createContainer(root, wrapper, language);
  if (isForm) {
    const api = createApi(base, '', () => undefined);
    return mountForm({ container, api, form: chatbot, words: WORDS, newKey });
  }
  const memory = createMemory(chatbot);
  const element: { current: HTMLElement | null } = { current: null };
  let heard: readonly string[] = [];
  let isLoaded = false;

  const visit = createVisit({
    api: createApi(base, chatbot, () => memory.token),
    memory,
    newKey,
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    emit(event, detail) {
      if (event === 'question' || event === 'conversation') heard = [];
      if (event === 'sentence') heard = [...heard, (detail as string).replace(MARKS, '').trim()];
      else emit(event, detail as never);
    },
    changed: draw,
  });
  const ui = { visit, words: WORDS, isPage, close: isPage ? undefined : close, newKey };

  function draw() {
    const state = visit.state();
    if (state.chatbot) paint(wrapper, state.chatbot.colour);
    render(<Panel state={state} ui={ui} heard={heard} frame={element} />, container);
  }

  draw();
  const frame = createFrame(element.current!, root, isPage, close);
  addEventListener('online', () => {
    for (const { key, failure } of visit.state().turns) if (failure?.status === 0) visit.retry(key);
  });

  return {
    open() {
      frame.show();
      frame.focus();
      if (isLoaded) return;
      isLoaded = true;
      void visit.load();
    },
    close: frame.hide,
    newConversation: visit.newConversation,
    identify: visit.identify,
  };
}

function createContainer(root: ShadowRoot, wrapper: HTMLElement, language: string): HTMLElement {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(PANEL_CSS);
  root.adoptedStyleSheets.push(sheet);
  const container = wrapper.appendChild(document.createElement('div'));
  container.lang = language;
  container.dir = language === 'fa' ? 'rtl' : 'ltr';
  return container;
}

/** Random, also where the page is not served securely and has no randomUUID. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
