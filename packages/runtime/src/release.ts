import manifest from '../package.json' with { type: 'json' };

/** The version of this release. */
export const { version: VERSION } = manifest;

/** Returns whether a release came after another, by semantic versioning: `0.2.0-rc.1` is older than `0.2.0`. */
export function isNewer(one: string, other: string): boolean {
  const [[core, stage], [otherCore, otherStage]] = [parts(one), parts(other)];
  const byCore = compare(core, otherCore);
  if (byCore !== 0 || stage === otherStage) return byCore > 0;
  if (stage === undefined || otherStage === undefined) return stage === undefined;
  return compare(stage, otherStage) > 0;
}

/** Returns what comes before the first `-`, and after it; without the metadata of a build. */
function parts(release: string): [core: string, stage: string | undefined] {
  const [core = '', ...stage] = release.replace(/\+.*$/s, '').split('-');
  return [core, stage.length > 0 ? stage.join('-') : undefined];
}

const compare = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });
