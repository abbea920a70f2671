import { afterAll, expect, test } from '@jest/globals';
import { createAsker } from './ask.ts';
import { knownFailures } from './known.ts';
import { readOptions } from './options.ts';
import { placesOf } from './places.ts';
import { outlineOf } from './questions.ts';
import { isRight } from './report.ts';
import { score } from './score.ts';
import { type Pages, readPages } from './site.ts';
import { SOURCES, type SourceDefinition } from './sources.ts';
import { openTrained } from './trained.ts';

const known = await knownFailures();
const material = new Map<SourceDefinition, Pages>();
for (const source of SOURCES.filter(({ name }) => known.some((question) => question.source === name)))
  material.set(source, await readPages(source));
const trained = await openTrained(material, readOptions([]));
afterAll(async () => trained[Symbol.asyncDispose]());
const asker = createAsker(trained.system);

test.each(known.map((question) => [question.ask, question.known!, question] as const))(
  '%s Once, %s; not over the real pages any more',
  async (_, __, question) => {
    const [source] = [...material.keys()].filter(({ name }) => name === question.source);
    const chatbot = trained.chatbots.get(question.source)!;
    const reply = await asker.ask(question, chatbot);
    const refusals = new Set([await asker.refusal(chatbot)]);
    const found = score(question, reply, placesOf(outlineOf(material.get(source!)!)), refusals);
    expect({ right: isRight({ question, reply, score: found, column: '' }), reply }).toMatchObject({ right: true });
  },
);
