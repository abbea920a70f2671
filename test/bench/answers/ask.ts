import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { callAs, randomId, rpcClient } from '@parley/runtime/rpc';
import { keepAlive } from '../keep-alive.ts';
import type { System } from '../system.ts';
import type { Reply } from './score.ts';

interface Data extends Pick<Reply, 'message' | 'sources'> {
  session_id: string;
  confidence?: Reply['confidence'];
}

/** The passage that a search puts first. */
export interface Best {
  url: string;
  /** How likely it answers, 0 to 1. */
  evidence: number;
}

export interface Asker extends AsyncDisposable {
  /** The replies to questions that are asked one after the other in a conversation of their own. */
  ask(questions: readonly string[], chatbot: string): Promise<Reply[]>;
  /** What the knowledge item has on a question; undefined if it has nothing. */
  search(question: string, before: readonly string[], item: string): Promise<Best | undefined>;
}

export function createAsker({ parley, key, account }: System): Asker {
  const send = keepAlive(1);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const knowledge = rpcClient(KnowledgeService, { address: parley.endpoints.knowledge });
  const reply = async (chatbot: string, message: string, session_id?: string): Promise<Data> => {
    const url = `${parley.endpoints.gateway}/chatbot/${chatbot}/reply`;
    const body = JSON.stringify({ message, ...(session_id && { session_id }) });
    return JSON.parse(await send(url, { method: 'POST', headers, body })).data;
  };
  return {
    async ask(questions, chatbot) {
      const replies: Reply[] = [];
      let session: string | undefined;
      for (const question of questions) {
        const began = performance.now();
        const { message, sources, confidence, session_id } = await reply(chatbot, question, session);
        session = session_id;
        replies.push({ message, sources, confidence: confidence ?? null, millis: performance.now() - began });
      }
      return replies;
    },
    async search(query, before, item) {
      const call = callAs(parley.secret, { account, operation: randomId() });
      const { passages } = await knowledge.search({ knowledgeIds: [item], query, context: [...before] }, call);
      const [first] = passages;
      return first && { url: first.url, evidence: first.evidence };
    },
    [Symbol.asyncDispose]: () => knowledge[Symbol.asyncDispose](),
  };
}
