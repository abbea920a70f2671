import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { Confidence, Outcome } from '@parley/proto/conversations/v1/conversations_service_pb';
import { deriveId, randomId } from '@parley/runtime/rpc';
import { type World, world } from '../../testing/world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

const UNKNOWN = randomId();

describe('a chat', () => {
  const path = async () => {
    const { id } = (await w.post('/chatbots', { title: 'Bot' })).body.data;
    return { path: `/chatbot/${id}/chats/${deriveId(id, 'chat')}`, chat: deriveId(id, 'chat') };
  };

  test('is blocked with CHATBOTS_WRITE, and the block is lifted', async () => {
    const at = await path();
    const result = (status: string) => ({ items: [{ target: at.chat, targetType: 'CHAT', status }], failed: [] });
    const key = w.keyWith(Scope.CHATBOTS_WRITE);
    expect((await w.put(`${at.path}/block`, undefined, { key })).body.data).toEqual(result('ACTIVE'));
    expect((await w.delete(`${at.path}/block`, undefined, { key })).body.data).toEqual(result('LIFTED'));
    for (const method of ['put', 'delete'] as const)
      expect((await w[method](`${at.path}/block`, undefined, { key: w.keyWith() })).body.message).toContain(
        'CHATBOTS_WRITE',
      );
    expect((await w.put(`${at.path.slice(0, -36)}${UNKNOWN}/block`)).status).toBe(404);
    expect((await w.put(`${at.path}/block`, undefined, { key: w.other.key })).status).toBe(403);
  });

  test('shows what each reply rested on, page by page', async () => {
    const at = await path();
    const offered = [
      { knowledgeId: 'k1', passageId: 'c1', title: 'Hours', url: 'https://example.org/', score: 1 },
      { knowledgeId: 'k2', passageId: 'c2', title: 'Question', url: '', score: 0.5 },
    ];
    w.conversations.state.evidence = [
      {
        entry: 'e1',
        outcome: Outcome.ANSWERED,
        confidence: Confidence.HIGH,
        answerer: 'extractive/1',
        offered,
        cited: [2],
      },
      { entry: 'e2', outcome: Outcome.NO_EVIDENCE, answerer: 'openai/gpt-4o' },
      { entry: 'e3', outcome: Outcome.FAILED, answerer: 'openai/gpt-4o' },
    ];
    const first = (await w.get(`${at.path}/evidence?limit=2`)).body.data;
    expect(first).toEqual({
      items: [
        {
          entry: 'e1',
          outcome: 'answered',
          confidence: 'high',
          answerer: 'extractive/1',
          offered: [
            { knowledge_id: 'k1', title: 'Hours', url: 'https://example.org/', score: 1 },
            { knowledge_id: 'k2', title: 'Question', url: null, score: 0.5 },
          ],
          cited: [2],
        },
        { entry: 'e2', outcome: 'no_evidence', confidence: null, answerer: 'openai/gpt-4o', offered: [], cited: [] },
      ],
      total: 3,
      has_more: true,
      next_cursor: expect.any(String),
    });
    const rest = (await w.get(`${at.path}/evidence?next_cursor=${first.next_cursor}`)).body.data;
    expect(rest).toMatchObject({ items: [{ entry: 'e3', outcome: 'failed' }], has_more: false });
    expect((await w.get(`${at.path}/evidence`, { key: w.other.key })).status).toBe(403);
    expect((await w.get(`${at.path.slice(0, -36)}${UNKNOWN}/evidence`)).status).toBe(404);
  });
});
