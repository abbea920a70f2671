import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { runSeedProgram } from '@parley/assistants';

/** A ticket or an email to open, as an end user would. */
export interface SeedRow {
  kind: 'ticket' | 'email';
  parent: { id: string };
  email: string;
  name?: string;
  subject?: string;
  message: string;
}

export interface Seeded {
  ids: string[];
  /** Undefined if all were opened; otherwise what the program said. */
  error: string | undefined;
}

export type Seed = (rows: SeedRow[]) => Promise<Seeded>;

const WITHIN_MS = 120_000;

/** Runs a shell command that reads JSON lines and prints the id of each new ticket or email. */
export const seedWith =
  (command: string): Seed =>
  (rows) =>
    new Promise((resolve, reject) => {
      const child = spawn(command, { shell: true, timeout: WITHIN_MS });
      let output = '';
      let errors = '';
      child.stdout.on('data', (chunk) => {
        output += chunk;
      });
      child.stderr.on('data', (chunk) => {
        errors += chunk;
      });
      child.on('error', reject);
      child.on('close', (code) => resolve(result(code, output, errors)));
      child.stdin.on('error', () => {}); // The program may end before it has read everything.
      child.stdin.end(linesOf(rows));
    });

/** Runs the system's own seed program in this process. */
export const seedIn =
  (system: { assistants: string; conversations: string; secret: string }): Seed =>
  async (rows) => {
    const [output, errors] = [collected(), collected()];
    const code = await runSeedProgram({
      input: Readable.from([linesOf(rows)]),
      output: output.stream,
      errors: errors.stream,
      find: async () => system,
      unavailable: 'The system does not answer.',
    });
    return result(code, output.text(), errors.text());
  };

function collected() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

const linesOf = (rows: SeedRow[]): Buffer => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

const result = (code: number | null, output: string, errors: string): Seeded => ({
  ids: output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean),
  error: code === 0 ? undefined : errors || `It ended with ${code}.`,
});

/** Opens tickets or emails that must succeed, and returns their ids in order. */
export async function opened(seed: Seed, rows: SeedRow[]): Promise<string[]> {
  const { ids, error } = await seed(rows);
  if (error !== undefined || ids.length !== rows.length)
    throw new Error(`The seed program opened ${ids.length} of ${rows.length}: ${error}`);
  return ids;
}
