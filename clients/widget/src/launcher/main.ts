import type { Parley } from '../../parley.d.ts';
import { createChat } from './chat.ts';

/** Entry of `widget.js`: puts the chat of its script tag on the page, as often as there are tags. */

declare global {
  interface Window {
    parley?: Parley;
  }
}

const script = document.currentScript as HTMLScriptElement | null;
// An element of the page whose id is `parley` has this name, too.
const first = window.parley?.chat ? window.parley : undefined;
const { form, lang, colour, page, chatbot = form } = script?.dataset ?? {};

if (!script || !chatbot) reportError(new Error('Parley: the script tag needs data-chatbot="PUBLIC_ID".'));
else if (!first?.chat(chatbot)) {
  const chat = createChat({
    chatbot,
    base: new URL('.', script.src).href,
    language: lang,
    colour,
    isPage: page !== undefined,
    isForm: form !== undefined,
    index: document.querySelectorAll('parley-chat').length,
  });
  const find: Parley['chat'] = (id) => (id === chatbot ? chat : first?.chat(id));
  window.parley = { ...(first ?? chat), chat: find };
  dispatchEvent(new Event('parley:ready'));
}
