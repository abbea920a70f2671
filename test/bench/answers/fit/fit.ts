import {
  ABOUT,
  ANSWERS,
  type Features,
  localEngine,
  memoryBuild,
  type Prior,
  search,
  type Weights,
} from '@parley/corpus';
import { type Asked, askMasked } from '../../../../services/trainer/src/training/ask-masked.ts';
import { examplesOf, scaleOf } from '../../../../services/trainer/src/training/calibrate.ts';
import { fitLogistic } from '../../../../services/trainer/src/training/logistic-fit.ts';
import type { Material } from './material.ts';

interface Example {
  features: Features;
  isTrue: boolean;
}

/** The examples of a site. */
interface Examples {
  site: string;
  /** The first passage with the section and without, and whether each answers. */
  answers: Example[];
  /** The same, and what was found first for questions of others: whether it is about the same subject. */
  about: Example[];
}

/** One of so many questions of other sites is taken. */
const FOREIGN_EVERY = 17;
const FOLDS = 5;
/** Hardly any: there are thousands of examples. */
const PRECISION = 0.01;

/** Weights, and how well they tell pairs of other sites than those that they were fitted on apart. */
export async function fit(sites: readonly Material[], asked: Asked) {
  const scale = asked.model === undefined ? asked.prior : meanScale(sites);
  const prior: Prior = { ...asked.prior, far: scale.far, near: scale.near };
  const all: Examples[] = [];
  for (const [i, site] of sites.entries()) all.push(await examplesOn(site, i, sites, { ...asked, prior }));
  const questions = sites.reduce((sum, site) => sum + site.questions.length, 0);
  return {
    ...{ sites: sites.length, questions, far: scale.far, near: scale.near },
    about: {
      ...fitted(
        all.flatMap(({ about }) => about),
        ABOUT,
      ),
      auc: crossAuc(all, 'about', ABOUT),
    },
    weights: {
      ...fitted(
        all.flatMap(({ answers }) => answers),
        ANSWERS,
      ),
      auc: crossAuc(all, 'answers', ANSWERS),
    },
  };
}

function meanScale(sites: readonly Material[]) {
  const none = { far: 0, near: 0, strength: 0 };
  return scaleOf(
    sites.flatMap(({ chunks, questions }) => questions.map((question) => ({ ...question, chunks }))),
    none,
  );
}

async function examplesOn(site: Material, at: number, sites: readonly Material[], asked: Asked): Promise<Examples> {
  const answers = (await askMasked(site.chunks, site.questions, asked)).flatMap(examplesOf);
  const index = memoryBuild(site.chunks, asked.model);
  const others = sites.filter((other) => other !== site).flatMap(({ questions }) => questions);
  const engine = localEngine();
  const foreign: Example[] = [];
  for (const { question, vector } of others.filter((_, i) => (i + at) % FOREIGN_EVERY === 0)) {
    const { model, prior } = asked;
    const vectors = new Map(vector && model !== undefined ? [[model, { vector, prior }]] : []);
    const [first] = (await search(engine, [{ knowledgeId: '', index }], question, vectors)).found;
    if (first) foreign.push({ features: first.features, isTrue: false });
  }
  return { site: site.name, answers, about: [...answers.map((each) => ({ ...each, isTrue: true })), ...foreign] };
}

function fitted(examples: readonly Example[], names: readonly (keyof Features)[]): Weights {
  const rows = examples.map(({ features, isTrue }) => ({
    features: [...names.map((name) => features[name] ?? 0), 1],
    isTrue,
  }));
  const all = [...names, 'constant'];
  const found = fitLogistic(rows, {
    mean: all.map(() => 0),
    precision: all.map(() => PRECISION),
    lowest: [...names.map(() => 0), Number.NEGATIVE_INFINITY],
  });
  return Object.fromEntries([...names, 'constant'].map((name, i) => [name, Number(found[i]!.toPrecision(3))])) as never;
}

/** Each site is judged by weights of the others. */
function crossAuc(all: readonly Examples[], field: 'answers' | 'about', names: readonly (keyof Features)[]): number {
  const judged = Array.from({ length: FOLDS }, (_, fold) => {
    const weights = fitted(
      all.filter((_, i) => i % FOLDS !== fold).flatMap((site) => site[field]),
      names,
    );
    const scoreOf = (features: Features) =>
      names.reduce((sum, name) => sum + (weights[name] ?? 0) * (features[name] ?? 0), weights.constant);
    return all
      .filter((_, i) => i % FOLDS === fold)
      .flatMap((site) => site[field])
      .map(({ features, isTrue }) => ({ score: scoreOf(features), isTrue }));
  }).flat();
  return aucOf(judged);
}

/** The share of pairs of a true and a false one in which the true one has the higher score. */
export function aucOf(judged: readonly { score: number; isTrue: boolean }[]): number {
  const sorted = [...judged].sort((a, b) => a.score - b.score);
  const trues = sorted.filter(({ isTrue }) => isTrue).length;
  const ranks = sorted.reduce((sum, { isTrue }, i) => sum + (isTrue ? i + 1 : 0), 0);
  return Number(((ranks - (trues * (trues + 1)) / 2) / (trues * (sorted.length - trues))).toFixed(3));
}
