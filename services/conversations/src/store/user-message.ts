import { compute, literal } from '@parley/runtime/mongo';
import type { Document, Filter } from 'mongodb';
import type { Change } from '../domain/entries.ts';
import { checkRoom } from '../domain/limits.ts';
import type { ReceivedMail } from '../domain/mail.ts';
import { isOver, NEW } from '../domain/status.ts';
import type { Entries } from './entries.ts';
import { changed, changeEntry, messageAdded, waiting } from './events.ts';
import { changeId, type ThreadDoc } from './model.ts';
import { blocked } from './questions.ts';
import type { Settings } from './settings.ts';
import { awaited, type Due, type NewEntry } from './stages.ts';
import type { ThreadChange } from './threads.ts';

/**
 * The act of a user's message in a ticket or an email.
 *
 * @param due absent if a program sent it, as a notice of absence: the AI does not answer, and the status stays.
 */
export function userMessage(thread: ThreadDoc, entry: NewEntry, due: Due | undefined): ThreadChange {
  if (thread.blocked_at) throw blocked();
  checkRoom(thread);
  const guard: Filter<ThreadDoc> = { blocked_at: null, ...(thread.link && { link: thread.link }) };
  const said = messageAdded(thread, entry._id, 'user');
  if (!due) return { guard, entry, effects: [COUNTED], events: [said] };
  const act = { guard, entry, effects: awaited(entry._id, due) };
  const events = [said, ...(thread.hold ? [waiting(thread)] : [])];
  if (!isOver(thread.status)) return { ...act, events };
  const change: Change = { by: 'user', field: 'status', from: thread.status, to: NEW.status };
  return {
    ...act,
    before: changeEntry(entry._id, change),
    effects: [...act.effects, compute({ status: literal(NEW.status) })],
    events: [changed(thread, change), ...events],
  };
}

/** When the AI answers a message; undefined if a program has sent it by mail. */
export const dueOf = ({ quietMs }: Settings, mail: ReceivedMail | undefined): Due | undefined =>
  mail?.automatic ? undefined : { ms: quietMs, authenticated: mail?.authenticated ?? true };

export const COUNTED: Document = compute({ questions: { $add: ['$questions', 1] } });

/** Returns whether a message has reopened its thread. */
export async function reopens(entries: Entries, thread: ThreadDoc, op: string): Promise<boolean> {
  const change = changeId(op, 'status');
  if (thread.last?._id === op) return thread.last.before?._id === change;
  return (await entries.find(thread, change)) !== undefined;
}
