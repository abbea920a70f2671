import { paint } from '../colour.ts';

/** Put here by the bundle: the minified style sheet. */
declare const LAUNCHER_CSS: string;

export interface Host {
  root: ShadowRoot;
  /** All that is seen of the chat; carries the theme. */
  wrapper: HTMLElement;
  /** Puts it on the page. */
  show(): void;
}

interface Options {
  isPage: boolean;
  colour: string | undefined;
  /** How many chats the page has already. */
  index: number;
}

/** The element that the chat lives in, beside the body: nothing that concerns the body concerns it. */
export function createHost({ isPage, colour, index }: Options): Host {
  const html = document.documentElement;
  const element = document.createElement('parley-chat');
  const root = element.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(LAUNCHER_CSS);
  root.adoptedStyleSheets = [sheet];
  const wrapper = root.appendChild(document.createElement('div'));
  wrapper.className = isPage ? 'page' : 'beside';
  // Which side it is on is the page's matter; the direction of its words is their language's.
  wrapper.dir = getComputedStyle(document.body ?? html).direction;
  wrapper.style.setProperty('--index', String(index));
  paint(wrapper, colour);
  return {
    root,
    wrapper,
    show() {
      html.append(element);
      if (isPage) return;
      wrapper.popover = 'manual';
      wrapper.showPopover?.();
    },
  };
}
