import type { Language, launcherWords } from './words.ts';

export interface Button {
  set(state: 'closed' | 'loading' | 'open' | 'failed'): void;
  focus(): void;
}

const SVG = 'http://www.w3.org/2000/svg';
const [BUBBLE, DOWN] = ['M4 5h16v11H9l-5 4zM8 9h8M8 12.500h5', 'M6 9l6 6 6-6'];

/** The round button at the edge of the page. `index`: how many there are before it. */
export function createButton(
  wrapper: HTMLElement,
  language: Language,
  words: ReturnType<typeof launcherWords>,
  index: number,
  pressed: () => void,
): Button {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'launcher';
  button.lang = language;
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = svg.appendChild(document.createElementNS(SVG, 'path'));
  button.append(svg);
  button.addEventListener('click', pressed);
  // Not in the button, whose name it would become.
  const problem = document.createElement('p');
  problem.setAttribute('role', 'alert');
  problem.lang = language;
  problem.dir = 'auto';
  // A landmark, so that it can be found.
  const aside = document.createElement('aside');
  aside.append(problem, button);
  wrapper.append(aside);

  const numbered = (name: string) => (index > 0 ? `${name} ${index + 1}` : name);
  function set(state: Parameters<Button['set']>[0]) {
    const isOpen = state === 'open';
    const name = numbered(isOpen ? words.close : words.open);
    button.setAttribute('aria-expanded', String(isOpen));
    button.setAttribute('aria-busy', String(state === 'loading'));
    button.setAttribute('aria-label', name);
    aside.setAttribute('aria-label', numbered(words.open));
    button.title = name;
    path.setAttribute('d', isOpen ? DOWN : BUBBLE);
    problem.textContent = state === 'failed' ? words.failed : '';
  }
  set('closed');
  return { set, focus: () => button.focus() };
}
