/** The stub of `reply.ts`: a model server that responds immediately. */
import { modelServer } from '../e2e/model-server.ts';
import { EVERYWHERE } from './manual.ts';
import { tellReady } from './program.ts';

export interface ReplyModel {
  baseUrl: string;
  /** As long as a request from Parley: a prompt with six passages of the manual. */
  request: string;
}

const PROMPT_CHARACTERS = 5_000;

const stub = await modelServer();
stub.chat = `${EVERYWHERE} [1]`;
const messages = [{ role: 'user', content: EVERYWHERE.repeat(PROMPT_CHARACTERS / EVERYWHERE.length) }];
tellReady({ baseUrl: stub.baseUrl, request: JSON.stringify({ messages, stream: true }) } satisfies ReplyModel);
