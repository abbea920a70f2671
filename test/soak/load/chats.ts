import type { Reply } from '../../../clients/typescript/src/index.ts';
import { expectTurns } from '../../stack/whole.ts';
import { type Activity, all, deleted, refused, type Tenant } from './tenant.ts';

const TURNS = 6;
/** Sessions after which the chatbot is replaced. */
const SESSIONS = 5;

/** Asks a chatbot in sessions; blocks each session at its end, and reads what was said. */
export async function chats(tenant: Tenant): Promise<Activity> {
  const { parley } = tenant;
  let current: { id: string; sessions: { question: string; reply: Reply }[][] } | undefined;

  async function create() {
    const { id } = await parley.post('/chatbots', { body: { title: 'Pottery', allowed_domains: ['example.org'] } });
    await parley.put('/chatbot/{id}/knowledge', { path: { id }, body: { knowledge_id: tenant.library } });
    return { id, sessions: [[]] };
  }

  async function ask(id: string, turns: { question: string; reply: Reply }[], n: number) {
    const question = `Where does the clay come from? (${n})`;
    const session_id = turns[0]?.reply.session_id;
    const body = { message: question, ...(session_id && { session_id }) };
    turns.push({ question, reply: await parley.post('/chatbot/{id}/reply', { path: { id }, body }) });
  }

  async function endSession(id: string, turns: { reply: Reply }[], n: number) {
    const { id: chat_id, session_id } = turns[0]!.reply;
    const path = { id, chat_id };
    await parley.put('/chatbot/{id}/chats/{chat_id}/block', { path });
    const body = { message: 'And now?', session_id };
    await refused(403, 'A blocked session', () => parley.post('/chatbot/{id}/reply', { path: { id }, body }));
    if (n % 2 === 0) await parley.delete('/chatbot/{id}/chats/{chat_id}/block', { path });
    const evidence = await all(parley.list('/chatbot/{id}/chats/{chat_id}/evidence', { path, query: { limit: 4 } }));
    if (evidence.length !== turns.length) throw new Error(`${turns.length} answers have ${evidence.length} evidences.`);
  }

  async function check() {
    if (!current) return;
    const { id, sessions } = current;
    const begun = sessions.filter((turns) => turns.length > 0);
    const listed = await all(parley.list('/chatbot/{id}/chats', { path: { id }, query: { limit: 2 } }));
    if (listed.length !== begun.length) throw new Error(`${begun.length} chats are listed as ${listed.length}.`);
    for (const turns of begun) {
      const path = { id, chat_id: turns[0]!.reply.id };
      expectTurns(await parley.get('/chatbot/{id}/chats/{chat_id}', { path }), turns);
    }
  }

  return {
    name: 'chat',
    async round(n) {
      current ??= await create();
      const { id, sessions } = current;
      const turns = sessions.at(-1)!;
      await ask(id, turns, n);
      if (turns.length < TURNS) return;
      await endSession(id, turns, n);
      sessions.push([]);
      if (sessions.length <= SESSIONS) return;
      await check();
      await deleted(tenant, () => parley.delete('/chatbot/{id}', { path: { id } }));
      current = undefined;
    },
    check,
  };
}
