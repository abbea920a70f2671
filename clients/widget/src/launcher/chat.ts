import type { Identity, ParleyChat } from '../../parley.d.ts';
import type { PanelHandle, PanelOptions } from '../contract.ts';
import { createButton } from './button.ts';
import { createHost } from './host.ts';
import { createListeners } from './listeners.ts';
import { languageOf, launcherWords } from './words.ts';

/** Put here by the bundle: the version of the panel. */
declare const VERSION: string;

interface Options extends Pick<PanelOptions, 'base' | 'chatbot' | 'isPage' | 'isForm'> {
  /** The language that the tag names. */
  language: string | undefined;
  colour: string | undefined;
  /** How many chats the page has already. */
  index: number;
}

const OPENED = 'parley:opened';

/** A button that loads the chat when it is pressed. Until then it sends nothing and stores nothing. */
export function createChat({ chatbot, base, language: wanted, colour, isPage, isForm, index }: Options): ParleyChat {
  const html = document.documentElement;
  // A page for itself has no language of its own.
  const language = languageOf(wanted, ...(isPage ? navigator.languages : [html.lang]));
  const words = launcherWords(language);
  const host = createHost({ isPage, colour, index });
  const { emit, on } = createListeners();
  const toggle = () => (isOpen ? close() : open());
  const button = isPage ? undefined : createButton(host.wrapper, language, words, index, toggle);
  const panel = createPanel(async (retry) => {
    // Some browsers remember that a module could not be loaded.
    const { mount } = await import(`${base}widget/${VERSION}/${language}.js${retry > 0 ? `?${retry}` : ''}`);
    const { root, wrapper } = host;
    return mount({ root, wrapper, base, chatbot, language, isPage, isForm, close, emit } satisfies PanelOptions);
  });
  let isOpen = false;

  async function open() {
    if (isOpen) return;
    isOpen = true;
    button?.set('loading');
    const loaded = await panel.load();
    // It may have been closed meanwhile.
    if (!isOpen) return;
    if (!loaded) {
      isOpen = false;
      button?.set('failed');
      return;
    }
    button?.set('open');
    loaded.open();
    emit('open', undefined);
    html.dispatchEvent(new CustomEvent(OPENED, { detail: host }));
  }

  function close() {
    if (!isOpen || isPage) return;
    isOpen = false;
    panel.loaded()?.close();
    button?.set('closed');
    button?.focus();
    emit('close', undefined);
  }

  // Two open ones would cover each other.
  html.addEventListener(OPENED, (event) => (event as CustomEvent).detail !== host && close());
  host.show();
  if (isPage) {
    html.lang = language;
    open();
  }
  return { open, close, on, newConversation: panel.newConversation, identify: panel.identify };
}

/** The panel, which is loaded once, and gets what was asked of it before. */
function createPanel(mount: (retry: number) => Promise<PanelHandle>) {
  let panel: PanelHandle | undefined;
  let loading: Promise<PanelHandle> | undefined;
  let failures = 0;
  let identity: Identity | undefined;
  let startsAnew = false;
  return {
    loaded: () => panel,
    /** Undefined if it cannot be loaded now. */
    async load(): Promise<PanelHandle | undefined> {
      try {
        loading ??= mount(failures);
        const mounted = await loading;
        if (panel) return panel;
        panel = mounted;
        if (startsAnew) panel.newConversation();
        if (identity) panel.identify(identity);
        return panel;
      } catch {
        failures += 1;
        loading = undefined;
        return undefined;
      }
    },
    newConversation() {
      if (panel) panel.newConversation();
      else startsAnew = true;
    },
    identify(given: Identity) {
      if (panel) panel.identify(given);
      else identity = given;
    },
  };
}
