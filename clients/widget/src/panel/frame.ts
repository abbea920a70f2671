/** On smaller screens the dialog takes all of it; as in the style sheet. */
const SMALL = '(max-width: 480px), (max-height: 480px)';

/** The element around the panel: a dialog beside the page, or the content of a page for itself. */
export interface Frame {
  show(): void;
  hide(): void;
  /** Moves the focus into it. */
  focus(): void;
  /** Whether the focus is on it, and on nothing in it. */
  hasFocus(): boolean;
}

export function createFrame(element: HTMLElement, root: ShadowRoot, isPage: boolean, close: () => void): Frame {
  const dialog = element as HTMLDialogElement;
  const small = matchMedia(SMALL);

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
  element.addEventListener('cancel', (event) => event.preventDefault());
  small.addEventListener('change', () => {
    if (isPage || !dialog.open) return;
    hide();
    show();
  });

  return {
    show,
    hide,
    focus() {
      // A keyboard on the screen would cover what there is to read.
      const field = matchMedia('(pointer: coarse)').matches ? null : element.querySelector('textarea');
      (field ?? element).focus();
    },
    hasFocus: () => root.activeElement === element,
  };
}
