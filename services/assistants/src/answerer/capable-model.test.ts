import { expect, test } from '@jest/globals';
import { gate } from '@parley/runtime/testing';
import { withoutSources } from '../domain/cite.ts';
import { createOpenAiAnswerer } from './openai.ts';
import { asked, KEY } from './testing/ask.ts';
import { passagesOf, scripted } from './testing/capable-model.ts';
import { saysSlowly, startModelServer } from './testing/model-server.ts';
import { SITES } from './testing/scripted/index.ts';
import type { Exchange, Site } from './testing/scripted/site.ts';

const never = new AbortController().signal;

/** The text without marks, fences and the space around them. */
const bare = (text: string) => text.replace(/\[[\d, ]+\]|\{[^}]*\}|```\w*/g, '').replace(/\s+/g, '');

async function shown(site: Site, exchanges: readonly Exchange[]) {
  await using server = await startModelServer(scripted(site));
  const answerer = createOpenAiAnswerer({ apiKey: KEY, baseUrl: server.baseUrl, model: 'stub', contextTokens: 8_192 });
  const answers: { question: string; written: string; text: string; isCited: boolean; by: string | undefined }[] = [];
  for (const [question, written] of exchanges) {
    const passages = passagesOf(site, written);
    const { message, sources, by } = await answerer.answer({ question, history: [], passages }, never);
    answers.push({ question, written, text: withoutSources(message), isCited: sources.length > 0, by });
  }
  return answers;
}

const isRefusal = ([, written]: Exchange) => written === 'NOT_IN_KNOWLEDGE';

test('what a capable model writes is shown as it is, with its sources, in any language', async () => {
  const good: string[] = [];
  const changed: string[] = [];
  for (const site of Object.values(SITES)) {
    const exchanges = site.good.filter((exchange) => !isRefusal(exchange));
    for (const { question, written, text, isCited } of await shown(site, exchanges))
      (isCited && bare(text) === bare(written) ? good : changed).push(question);
  }
  expect(changed.length).toBeLessThanOrEqual(0.03 * (good.length + changed.length));
});

test('its refusals are respected', async () => {
  for (const site of Object.values(SITES))
    for (const { isCited, by } of await shown(site, site.good.filter(isRefusal)))
      expect([isCited, by]).toEqual([false, undefined]);
});

test('what it makes up is not shown', async () => {
  const lies: string[] = [];
  let all = 0;
  for (const site of Object.values(SITES))
    for (const { question, written, text } of await shown(site, site.lies)) {
      all++;
      if (bare(text).includes(bare(written))) lies.push(question);
    }
  expect(lies.length).toBeLessThanOrEqual(0.03 * all);
});

test.each([
  ['It opens at nine [1].', ' It never sleeps. [1]'],
  ['It opens at nine. [1]', ' It never sleeps [1].'],
  ['It opens at nine [1]\n', 'It never sleeps [1]'],
  ['九点开门[1]。', '从不关门[1]。'],
])('%j is passed on before the model writes the next sentence', async (first, second) => {
  const isRead = gate();
  await using server = await startModelServer(saysSlowly([first, isRead.opened], [second, Promise.resolve()]));
  const answerer = createOpenAiAnswerer({ apiKey: KEY, baseUrl: server.baseUrl, model: 'stub' });
  const events: string[] = [];
  const sink = {
    text(part: string) {
      events.push(part);
      isRead.open();
    },
    sources: (all: readonly { title: string }[]) => void events.push(all.map(({ title }) => title).join()),
  };
  const { message } = await answerer.answer(asked, never, sink);
  expect(events).toHaveLength(3);
  expect(events[0]).toBe('Hours');
  expect(events.slice(1).join('')).toBe(withoutSources(message));
});
