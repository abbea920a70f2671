import { notFound } from '@parley/runtime';
import type { ObjectStore } from '@parley/runtime/objects';
import type { Attachment } from '../domain/mail.ts';
import type { ThreadRef, ThreadScope } from './model.ts';
import type { Threads } from './threads.ts';

/*
 * What came by mail, in the object store: `mail/<account>/<assistant>/<operation>/raw.eml`, and the attachments beside it as
 * `0.bin`, `1.bin` and so on. The mail service writes it before the message is received, and the gateway likewise the files of
 * a form, which have a folder of another name.
 */

export const accountFolder = (account: string): string => `mail/${account}/`;

/** Where the mail service stores the messages for an assistant. */
export const assistantFolder = ({ account, assistant }: Omit<ThreadScope, 'kind'>): string =>
  `${accountFolder(account)}${assistant}/`;

export interface MailFile {
  key: string;
  /** Absent for a raw message. */
  attachment?: Attachment;
}

const STEP = 1_000;

export type MailFiles = ReturnType<typeof mailFileStore>;

/** The files of mails. */
export function mailFileStore({ find, entries, usage }: Threads, objects: Pick<ObjectStore, 'deletePrefix'>) {
  async function received(ref: ThreadRef) {
    const thread = await find(ref);
    return (await entries.of(thread, { said: true })).filter(({ mail, attached }) => mail ?? attached);
  }

  const keyOf = (ref: ThreadRef, entry: string, file: string) => `${assistantFolder(ref)}${entry}/${file}`;

  return {
    /** @param entry a message that came by mail; empty: the first one of the thread. */
    async raw(ref: ThreadRef, entry: string): Promise<MailFile> {
      const found = (await received(ref)).find(({ _id, mail }) => mail && (entry === '' || _id === entry));
      if (!found) throw notFound('There is no such message that came by mail.');
      return { key: keyOf(ref, found._id, 'raw.eml') };
    },

    async attachment(ref: ThreadRef, id: string): Promise<MailFile> {
      for (const { _id, mail, attached } of await received(ref)) {
        const files = mail?.attachments ?? attached!.files;
        const at = files.findIndex((attachment) => attachment.id === id);
        if (at >= 0) return { key: keyOf(ref, attached?.folder ?? _id, `${at}.bin`), attachment: files[at]! };
      }
      throw notFound('There is no such attachment.');
    },

    /** Removes all that came for an assistant. */
    async drop(scope: ThreadScope): Promise<true> {
      let isAny = false;
      for (let deleted = STEP; deleted === STEP; isAny ||= deleted > 0)
        deleted = await objects.deletePrefix(assistantFolder(scope), STEP);
      if (isAny) await usage.outdate(scope.account);
      return true;
    },
  };
}
