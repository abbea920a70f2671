import { mkdir, writeFile } from 'node:fs/promises';
import { type Bench, type Table, UsageError } from '../table.ts';
import { type Asker, createAsker } from './ask.ts';
import { subsetOf } from './bootstrap.ts';
import { problemsOf } from './check.ts';
import { conversationsOf } from './conversations.ts';
import { foreignTo } from './foreign.ts';
import { readManuals } from './manuals.ts';
import { type Options, readOptions } from './options.ts';
import { placesOf } from './places.ts';
import { printed } from './printed.ts';
import type { Question } from './questions.ts';
import { report } from './report.ts';
import { isRight, type Result } from './result.ts';
import { score } from './score.ts';
import { outlineOf } from './sections.ts';
import { type Ground, readSites } from './sites.ts';
import { openTrained, type TrainedSite } from './trained.ts';

/** How well the questions of visitors are answered from the websites of small owners. */
export const answers: Bench = { name: 'answers', run };

async function run(args: readonly string[]): Promise<Table> {
  const options = readOptions(args);
  if (options.keep) await mkdir(options.keep, { recursive: true });
  const all = [...(await readSites()), ...(options.manuals ? await readManuals() : [])];
  const asked = chosen(all, options);
  const results = await askAll(asked, options);
  const shown = results.filter((result) => options.reveal || !isHeldOut(result));
  for (const result of shown)
    if (options.print && !(options.failed && isRight(result))) process.stdout.write(`${printed(result)}\n`);
  if (options.json) await writeFile(options.json, JSON.stringify(shown.map(flat), null, 2));
  return report(results);
}

type Asked = ReadonlyMap<Ground, readonly Question[]>;

/** @throws Error if a question does not fit its pages: its score would mean nothing. */
function chosen(all: readonly Ground[], { sites, kinds, find, sample }: Options): Asked {
  const wanted = all.filter(({ name, set }) => sites.length === 0 || sites.includes(name) || sites.includes(set));
  if (wanted.length === 0) throw new UsageError(`There is no site ${sites.join(', ')}.`);
  const problems = wanted.flatMap(problemsOf);
  if (problems.length > 0) throw new Error(`The questions don't fit the pages.\n${problems.join('\n')}`);
  return new Map(
    wanted.map((site) => {
      const questions = [...site.questions, ...foreignTo(site, all)].filter(
        ({ kind, id, ask }) => kinds.includes(kind) && (!find || `${id} ${ask}`.includes(find)),
      );
      return [site, sample === undefined ? questions : subsetOf(questions, sample)];
    }),
  );
}

async function askAll(asked: Asked, options: Options): Promise<Result[]> {
  await using trained = await openTrained([...asked.keys()], options);
  await using asker = createAsker(trained.system);
  const results: Result[] = [];
  for (const [site, questions] of asked)
    results.push(...(await askSite(asker, site, questions, trained.sites[site.name]!)));
  return results;
}

/** Asks the turns of a conversation once: a turn is asked with those before it, if it is the last one wanted. */
async function askSite(asker: Asker, site: Ground, questions: readonly Question[], { chatbot, item }: TrainedSite) {
  const places = placesOf(outlineOf(site.pages));
  const results: Result[] = [];
  for (const turns of conversationsOf(questions)) {
    const { before, ask } = turns.at(-1)!;
    const replies = await asker.ask([...before, ask], chatbot);
    for (const question of turns) {
      const reply = replies[question.before.length]!;
      const best = await asker.search(question.ask, question.before, item);
      results.push({
        site,
        question,
        reply,
        score: score(question, reply, places),
        best: best && ranked(best, question),
      });
    }
  }
  function ranked({ url, evidence }: { url: string; evidence: number }, { sections }: Question) {
    return { evidence, isRight: sections.some((section) => places.leadsTo(url, section)) };
  }
  return results;
}

/** Questions about sites held out are asked of the others, too. */
const isHeldOut = ({ site, question }: Result): boolean => [site.set, question.set].includes('held-out');

const flat = ({ question, reply, score, best, ...result }: Result) => {
  const { id, kind, before, ask } = question;
  return {
    id,
    kind,
    right: isRight({ question, reply, score, best, ...result }),
    ...score,
    best,
    before,
    ask,
    ...reply,
  };
};
