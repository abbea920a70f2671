import { keepAlive } from '../keep-alive.ts';
import type { System } from '../system.ts';
import type { Question } from './questions.ts';
import { type Reply, withoutSources } from './score.ts';

/** Words of no language, so that whatever comes back is the refusal. */
const NONSENSE = 'Zxqvort plimthaw grbnoxel?';

interface Data {
  session_id: string;
  message: string;
  sources: Reply['sources'];
}

export interface Asker {
  /** The reply to a question, after its earlier ones, in a conversation of its own. */
  ask(question: Pick<Question, 'before' | 'ask'>, chatbot: string): Promise<Reply>;
  /** How a chatbot says that it has no answer. */
  refusal(chatbot: string): Promise<string>;
}

export function createAsker({ parley, key }: System): Asker {
  const send = keepAlive(1);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const reply = async (chatbot: string, message: string, session_id?: string): Promise<Data> => {
    const url = `${parley.endpoints.gateway}/chatbot/${chatbot}/reply`;
    const body = JSON.stringify({ message, ...(session_id && { session_id }) });
    return JSON.parse(await send(url, { method: 'POST', headers, body })).data;
  };
  return {
    async ask({ before, ask }, chatbot) {
      let session: string | undefined;
      for (const earlier of before) session = (await reply(chatbot, earlier, session)).session_id;
      const began = performance.now();
      const { message, sources } = await reply(chatbot, ask, session);
      return { message, sources, millis: performance.now() - began };
    },
    refusal: async (chatbot) => withoutSources((await reply(chatbot, NONSENSE)).message),
  };
}
