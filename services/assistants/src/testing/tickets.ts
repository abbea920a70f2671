import { AiReply, AssistantKind } from '@parley/proto/assistants/v1/assistants_service_pb';
import { AiState, ThreadKind, type ThreadRef } from '@parley/proto/conversations/v1/conversations_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { assistants, attach, call, conversations, knowledge, QUESTION } from './assistants.ts';

/** An account with a form that knows when the shop is open. */
export async function form(aiReply: AiReply = AiReply.UNSPECIFIED, notify: string[] = []) {
  const account = randomId();
  const as = () => call({ account }).onward();
  const cases = { aiReply, notify: { values: notify } };
  const { ticketForm } = await assistants.createTicketForm({ title: 'Shop', cases }, as());
  const assistantId = ticketForm!.id;
  await attach(account, assistantId, knowledge.add(account), AssistantKind.TICKET_FORM);
  return { account, assistantId, as };
}

export type Form = Awaited<ReturnType<typeof form>>;

type Ref = Pick<ThreadRef, 'kind' | 'assistantId' | 'id'>;

export async function opened({ assistantId, as }: Form, message = QUESTION): Promise<Ref> {
  const request = { kind: ThreadKind.TICKET, assistantId, fromEmail: 'ann@example.com', message };
  const { thread } = await conversations.openThread(request, as());
  return { kind: ThreadKind.TICKET, assistantId, id: thread!.id };
}

async function threadOf({ as }: Form, thread: Ref) {
  const { thread: found, conversation } = await conversations.getThread({ thread }, as());
  return { ai: found!.ai, said: conversation.map(({ message }) => message) };
}

/** Returns the message once the AI is done with it. */
export async function settled(of: Form, thread: Ref) {
  await until(async () => (await threadOf(of, thread)).ai !== AiState.PENDING);
  return threadOf(of, thread);
}
