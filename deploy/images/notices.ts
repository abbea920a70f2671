/** Run while an image is built: `node notices.ts SBOM TARGET` writes the licences of all packages that the SBOM lists. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The parts of npm's SBOM (SPDX in JSON) that matter here. */
export interface Sbom {
  packages: {
    name: string;
    versionInfo: string;
    /** Its folder, relative to where npm ran; empty for the root. */
    packageFileName: string;
    licenseDeclared: string;
    homepage: string;
  }[];
}

const TEXTS = /^(?:licen[cs]es?|copying|notice|third.?party.?(?:licen[cs]es|notices?))(?:[-_.](?!js$|ts$|json$).*)?$/i;
const RULE = '-'.repeat(80);

/** Ours are under the licence beside the notices. */
const isOurs = ({ name, packageFileName }: Sbom['packages'][number]) =>
  packageFileName === '' || name.startsWith('@parley/');

/** The licence texts and notices of every package below a folder, each text once, after the packages that ship it. */
export async function noticesOf({ packages }: Sbom, folder: string): Promise<string> {
  const byText = new Map<string, string[]>();
  for (const each of packages.filter((one) => !isOurs(one))) {
    const text = (await textsOf(join(folder, each.packageFileName))).join('\n\n');
    const missing = `The package has no text of its licence. Its homepage: ${each.homepage}`;
    const heading = `${each.name} ${each.versionInfo} (${each.licenseDeclared})`;
    byText.set(text || missing, [...(byText.get(text || missing) ?? []), heading]);
  }
  const parts = [...byText].map(([text, headings]) => `${headings.join('\n')}\n\n${text}\n`);
  return ['Software of others in this image, with its licences.\n', ...parts].join(`\n${RULE}\n\n`);
}

async function textsOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && TEXTS.test(entry.name)).map(({ name }) => name);
  const texts = await Promise.all(files.sort().map((name) => readFile(join(folder, name), 'utf8')));
  return texts.map((text) => text.replaceAll('\r\n', '\n').trim());
}

if (import.meta.main) {
  const [sbom = '', target = ''] = process.argv.slice(2);
  await writeFile(target, await noticesOf(JSON.parse(await readFile(sbom, 'utf8')), '.'));
}
