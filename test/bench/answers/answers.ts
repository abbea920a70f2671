import { mkdir, writeFile } from 'node:fs/promises';
import type { Bench, Table } from '../table.ts';
import { createAsker } from './ask.ts';
import { askBare } from './bare.ts';
import { subsetOf } from './bootstrap.ts';
import { type Options, readOptions } from './options.ts';
import { placesOf } from './places.ts';
import { outlineOf, problemsOf, type Question, readQuestions } from './questions.ts';
import { isRight, printed, type Result, report } from './report.ts';
import { score } from './score.ts';
import { readPages } from './site.ts';
import { SOURCES, type SourceDefinition } from './sources.ts';
import { type Material, openTrained } from './trained.ts';

/** How well questions about real documentation are answered. */
export const answers: Bench = { name: 'answers', run };

async function run(args: readonly string[]): Promise<Table> {
  const options = readOptions(args);
  if (options.keep) await mkdir(options.keep, { recursive: true });
  if (options.bare) return askBare(options);
  const material = await readMaterial(options);
  const questions = await chosen(material, options);
  const results = await askAll(material, questions, options);
  for (const result of results) {
    if (options.print && !(options.failed && isRight(result))) process.stdout.write(`${printed(result)}\n`);
  }
  if (options.json) await writeFile(options.json, JSON.stringify(results.map(flat), null, 2));
  return report(results);
}

async function readMaterial({ sources }: Options): Promise<Material> {
  const material = new Map();
  for (const source of SOURCES.filter(({ name }) => sources.includes(name)))
    material.set(source, await readPages(source));
  return material;
}

/** @throws Error if a question does not fit its pages: its score would mean nothing. */
async function chosen(material: Material, { kinds, find, sample }: Options): Promise<Question[]> {
  const all: Question[] = [];
  for (const [{ name }, pages] of material) {
    const questions = await readQuestions(name);
    const problems = problemsOf(questions, outlineOf(pages));
    if (problems.length > 0) throw new Error(`The questions don't fit the pages.\n${problems.join('\n')}`);
    all.push(...questions);
  }
  const wanted = all.filter(({ kind, id, ask }) => kinds.includes(kind) && (!find || `${id} ${ask}`.includes(find)));
  return sample === undefined ? wanted : subsetOf(wanted, sample);
}

async function askAll(material: Material, questions: readonly Question[], options: Options): Promise<Result[]> {
  await using trained = await openTrained(material, options);
  const asker = createAsker(trained.system);
  const results: Result[] = [];
  for (const [source, pages] of material) {
    const chatbot = trained.chatbots.get(source.name)!;
    const places = placesOf(outlineOf(pages));
    const refusals = new Set([await asker.refusal(chatbot)]);
    for (const question of questions.filter((each) => each.source === source.name)) {
      const reply = await asker.ask(question, chatbot);
      results.push({ question, reply, score: score(question, reply, places, refusals), column: columnOf(source) });
    }
  }
  return results;
}

const columnOf = ({ set, language }: SourceDefinition): string => (language === 'en' ? set : `${language}, ${set}`);

const flat = (result: Result) => {
  const { id, kind, before, ask } = result.question;
  return { id, kind, right: isRight(result), ...result.score, before, ask, ...result.reply };
};
