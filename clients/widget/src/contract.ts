import type { Identity, ParleyEvents } from '../parley.d.ts';

/** Between the launcher and the panel, which come as two files. Either may be a release older than the other. */

export type Emit = <K extends keyof ParleyEvents>(event: K, detail: ParleyEvents[K]) => void;

export interface PanelOptions {
  root: ShadowRoot;
  /** Where to appear; carries the theme. */
  wrapper: HTMLElement;
  /** The gateway, with a slash at the end. */
  base: string;
  /** The public id of a chatbot or, on the page of a form, of that. */
  chatbot: string;
  /** It is the page of a ticket form. Absent from older launchers. */
  isForm?: boolean;
  /** One that the launcher knows. */
  language: string;
  isPage: boolean;
  close(): void;
  emit: Emit;
}

export interface PanelHandle {
  open(): void;
  close(): void;
  newConversation(): void;
  identify(identity: Identity): void;
}
