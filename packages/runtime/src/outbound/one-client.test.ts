import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));

/** The restrictions that the project's linter reports as violated, by the path of the source. */
async function lint(sources: Record<string, string>): Promise<Record<string, string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-lint-'));
  await cp(join(repository, 'biome.json'), join(folder, 'biome.json'));
  for (const [path, source] of Object.entries(sources)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), source);
  }
  const program = join(repository, 'node_modules/@biomejs/biome/bin/biome');
  const flags = ['lint', '--vcs-enabled=false', '--max-diagnostics=none', '.'];
  const biome = spawn(process.execPath, [program, ...flags], { cwd: folder });
  const [report] = await Promise.all([text(biome.stderr), text(biome.stdout), once(biome, 'close')]);
  await rm(folder, { recursive: true });
  const found: Record<string, string[]> = {};
  for (const [, path, rule] of report.matchAll(/^(\S+):\d+:\d+ lint\/style\/(noRestricted\w+)/gm))
    found[path!.replaceAll('\\', '/')] = [...(found[path!] ?? []), rule!];
  return found;
}

const FETCH = "await fetch('http://example.org');\n";

test('the linter lets only the outbound client open a connection to an address that a user gave', async () => {
  const imports = ['noRestrictedImports'];
  expect(
    await lint({
      'services/conversations/src/rpc/fetch.ts': FETCH,
      'gateway/src/resources/fetch.ts': FETCH,
      'services/trainer/src/crawl/http/undici.ts':
        "import { request } from 'undici';\nawait request('http://example.org');\n",
      'services/mail/src/http.ts': "import { get } from 'node:http';\nget('http://example.org');\n",
      'services/mail/src/https.ts': "import https from 'node:https';\nhttps.get('https://example.org');\n",
      'services/mail/src/net.ts': "import { connect } from 'node:net';\nconnect(80);\n",
      'services/mail/src/server.ts': "import { createServer } from 'node:http';\ncreateServer();\n",
      'packages/runtime/src/outbound/client.ts':
        "import { request } from 'undici';\nawait request('http://example.org');\n",
      'services/mail/src/send.test.ts': FETCH,
    }),
  ).toEqual({
    'services/conversations/src/rpc/fetch.ts': ['noRestrictedGlobals'],
    'gateway/src/resources/fetch.ts': ['noRestrictedGlobals'],
    'services/trainer/src/crawl/http/undici.ts': imports,
    'services/mail/src/http.ts': imports,
    'services/mail/src/https.ts': imports,
    'services/mail/src/net.ts': imports,
  });
});
