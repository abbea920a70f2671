/** The work of a step. A string that it returns is printed with it. */
export interface Step {
  name: string;
  run(): Promise<unknown>;
  /** If it fails, none of the following can run. */
  essential?: boolean;
}

export interface Outcome {
  passed: number;
  failed: number;
}

/** Thrown by a step that can't run where it is; the message says what it lacks. */
export class Skipped extends Error {
  override name = 'Skipped';
}

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Runs the steps in order, and reports and counts them; steps that can no longer run count as failed. */
export async function runSteps(steps: Step[], explainFailure: () => Promise<string>): Promise<Outcome> {
  const outcome = { passed: 0, failed: 0 };
  for (const [i, { name, run, essential }] of steps.entries()) {
    const started = performance.now();
    const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
    try {
      const note = await run();
      outcome.passed += 1;
      say(
        `ok      ${name}  (${seconds()})${typeof note === 'string' ? `\n${note.trimEnd()}`.replaceAll('\n', '\n          ') : ''}`,
      );
    } catch (error) {
      if (error instanceof Skipped) {
        say(`skipped ${name}: ${error.message}`);
        continue;
      }
      outcome.failed += 1;
      say(`FAILED  ${name}  (${seconds()})\n${(error as Error).message}\n${await explainFailure()}`);
      if (!essential) continue;
      for (const { name } of steps.slice(i + 1)) say(`FAILED  ${name}: it could not run`);
      outcome.failed += steps.length - i - 1;
      break;
    }
  }
  return outcome;
}
