import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { type RetryPolicy, retry } from '@parley/runtime';
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
  /** Searches the knowledge item for a question; undefined if it has nothing. */
  search(question: string, before: readonly string[], item: string): Promise<Best | undefined>;
}

/** On a machine with more to do, an answer may take too long: a run of minutes must not end with it. */
const PATIENCE: RetryPolicy = {
  ...{ attempts: 6, backoffMs: 1_000, longestPauseMs: 10_000 },
  pauseAfter: (_, pauseMs) => pauseMs,
};
const PATIENCE_MS = 600_000;

export function createAsker({ parley, key, account }: System): Asker {
  const send = keepAlive(1);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const knowledge = rpcClient(KnowledgeService, { address: parley.endpoints.knowledge });
  const patiently = <T>(ask: () => Promise<T>) => retry(ask, PATIENCE, AbortSignal.timeout(PATIENCE_MS));
  const reply = async (chatbot: string, message: string, session_id?: string): Promise<Data> => {
    const url = `${parley.endpoints.gateway}/chatbot/${chatbot}/reply`;
    const body = JSON.stringify({ message, ...(session_id && { session_id }) });
    const once = { method: 'POST', headers: { ...headers, 'idempotency-key': randomId() }, body };
    return JSON.parse(await patiently(() => send(url, once))).data;
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
      const request = { knowledgeIds: [item], query, context: [...before] };
      const { passages } = await patiently(() => knowledge.search(request, call));
      const [first] = passages;
      return first && { url: first.url, evidence: first.evidence };
    },
    [Symbol.asyncDispose]: () => knowledge[Symbol.asyncDispose](),
  };
}
