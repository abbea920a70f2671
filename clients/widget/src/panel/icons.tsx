import type { VNode } from 'preact';

/** Line drawings on a grid of 24, in the colour of the text around them. */
const icon = (path: string) => (): VNode => (
  <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={path} />
  </svg>
);

export const Chat = icon('M4 5h16v11H9l-5 4zM8 9h8M8 12.500h5');
export const Close = icon('M6 6l12 12M18 6L6 18');
export const Anew = icon('M12 5H5v14h14v-7M10 14l1-4 8-8 3 3-8 8z');
export const Back = icon('M15 5l-7 7 7 7');
export const Send = icon('M12 20V5M5 12l7-7 7 7');
export const Stop = icon('M7 7h10v10H7z');
export const Up = icon('M7 10v10H3V10zM7 11l4-8c2 0 3 1 3 3v3h5l1.500 1.500L19 20H7');
export const Down = icon('M7 14V4H3v10zM7 13l4 8c2 0 3-1 3-3v-3h5l1.500-1.500L19 4H7');
export const Person = icon('M12 12a4 4 0 100-8 4 4 0 000 8zM4 20c1-4 4-5 8-5s7 1 8 5');
export const Unsure = icon('M12 3a9 9 0 100 18 9 9 0 000-18zM12 8v5M12 16v.200');
export const Done = icon('M5 13l4 4L19 7');
