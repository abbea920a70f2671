/** On smaller screens the dialog takes all of it; as in the style sheet. */
const SMALL = '(max-width: 480px), (max-height: 480px)';

/** The element around the panel: a dialog beside the page, or the content of a page for itself. */
export interface Frame {
  show(): void;
  hide(): void;
  /** Moves the focus into it. */
  focus(): void;
}

export function createFrame(element: HTMLElement, root: ShadowRoot, isPage: boolean, close: () => void): Frame {
  const dialog = element as HTMLDialogElement;
  const small = matchMedia(SMALL);
  const field = () => element.querySelector<HTMLElement>('.composer textarea, .ticket input');

  function show() {
    if (isPage) return;
    if (small.matches) dialog.showModal();
    else dialog.show();
  }
  function hide() {
    if (!isPage) dialog.close();
  }

  element.addEventListener('keydown', (event) => {
    // The page's own shortcuts are not meant.
    event.stopPropagation();
    if (event.key === 'Escape' && !event.isComposing) close();
  });
  element.addEventListener('cancel', (event) => {
    event.preventDefault();
    close();
  });
  small.addEventListener('change', () => {
    if (isPage || !dialog.open) return;
    hide();
    show();
  });

  function focus() {
    // A keyboard on the screen would cover what there is to read.
    const chosen = matchMedia('(pointer: coarse)').matches ? null : field();
    (chosen ?? element).focus();
  }
  keepFocus({ element, root, field, focus });
  return { show, hide, focus };
}

interface Focused {
  element: HTMLElement;
  root: ShadowRoot;
  field(): HTMLElement | null;
  focus(): void;
}

/** Restores the focus: a removed element takes it along, and it is then nowhere in the panel. A field that appears late gets it. */
function keepFocus({ element, root, field, focus }: Focused): void {
  let focused: EventTarget | null = null;
  let hadField = false;
  const isGone = (target: EventTarget | null) => target instanceof Element && !target.isConnected;
  element.addEventListener('focusin', ({ target }) => {
    focused = target;
  });
  element.addEventListener('focusout', ({ target }) =>
    queueMicrotask(() => {
      if (focused === target && !isGone(target)) focused = null;
    }),
  );
  new MutationObserver(() => {
    const isLost = isGone(focused) && document.activeElement === document.body;
    const isNew = !hadField && field() !== null && root.activeElement === element;
    hadField = field() !== null;
    if (isLost || isNew) focus();
  }).observe(element, { childList: true, subtree: true });
}
