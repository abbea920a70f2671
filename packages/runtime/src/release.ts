import { readFile } from 'node:fs/promises';

/** The version of this release. */
export async function thisRelease(): Promise<string> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Whether a release came after another, by semantic versioning: `0.2.0-rc.1` is older than `0.2.0`. */
export function isNewer(one: string, other: string): boolean {
  const [[core, stage], [otherCore, otherStage]] = [parts(one), parts(other)];
  const byCore = compare(core, otherCore);
  if (byCore !== 0 || stage === otherStage) return byCore > 0;
  if (stage === undefined || otherStage === undefined) return stage === undefined;
  return compare(stage, otherStage) > 0;
}

/** What comes before the first `-`, and after it; without the metadata of a build. */
function parts(release: string): [core: string, stage: string | undefined] {
  const [core = '', ...stage] = release.replace(/\+.*$/s, '').split('-');
  return [core, stage.length > 0 ? stage.join('-') : undefined];
}

const compare = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });
