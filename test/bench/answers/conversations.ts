import type { Question } from './questions.ts';

/** Turns of one conversation belong together, so that its last one asks them all; every other question stands alone. */
export function conversationsOf(questions: readonly Question[]): Question[][] {
  const conversations: Question[][] = [];
  for (const question of questions) {
    const last = conversations.at(-1)?.at(-1);
    const follows = last !== undefined && question.before[last.before.length] === last.ask;
    if (follows) conversations.at(-1)!.push(question);
    else conversations.push([question]);
  }
  return conversations;
}
