import { type Question, readQuestions } from './questions.ts';
import { SOURCES } from './sources.ts';

/** Questions whose answers once were noticed to be wrong. They are part of the measure, and each is a test by itself. */
export async function knownFailures(): Promise<Question[]> {
  const questions = await Promise.all(SOURCES.map(({ name }) => readQuestions(name)));
  return questions.flat().filter(({ known }) => known !== undefined);
}
