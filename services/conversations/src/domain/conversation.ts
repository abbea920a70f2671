import { Role } from '@parley/proto/conversations/v1/conversations_service_pb';

export interface Said {
  role: Role;
  message: string;
}

/** What was said in some turns, in their order. A question that has no answer stands alone. */
export const conversation = (turns: readonly { question: string; answer: { message: string } | null }[]): Said[] =>
  turns.flatMap(({ question, answer }) => [
    { role: Role.USER, message: question },
    ...(answer ? [{ role: Role.ASSISTANT, message: answer.message }] : []),
  ]);
