import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { during } from '../embedded/progress.mjs';

const KAFKA = '4.3.1';
const SCALA = '2.13';
/** Kafka depends on log4j's core but not on a binding to it, without which a broker logs nothing. */
const LOG4J = '2.25.4';
const FETCH_WITHIN_MS = 10 * 60_000;

/** The directory of Kafka's jars (44 MB) in the cache; Maven fetches them first if necessary. */
export async function kafkaJars(cacheDir: string): Promise<string> {
  const home = join(cacheDir, `kafka-${KAFKA}`);
  const jars = join(home, 'jars');
  if (await exists(jars)) return jars;
  await mkdir(home, { recursive: true });
  const work = await mkdtemp(join(home, 'fetch-'));
  try {
    await during('Fetching Kafka (44 MB, once) …', () => fetchInto(work));
    // Atomic: a directory in the cache is always complete. If another process was faster, it fetched the same jars.
    await rename(join(work, 'jars'), jars).catch(async (error) => {
      if (!(await exists(jars))) throw error;
    });
    return jars;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function fetchInto(work: string) {
  await writeFile(join(work, 'pom.xml'), POM);
  const args = ['-q', '-B', '-ntp', '-Dstyle.color=never', '-f', join(work, 'pom.xml'), 'dependency:copy-dependencies'];
  const goal = ['-DincludeScope=runtime', `-DoutputDirectory=${join(work, 'jars')}`];
  await promisify(execFile)('mvn', [...args, ...goal], { timeout: FETCH_WITHIN_MS }).catch((error) => {
    const reason = error.code === 'ENOENT' ? 'Maven (mvn) is not installed.' : `${error.stdout}${error.stderr}`.trim();
    throw new Error(`Kafka ${KAFKA} is not in the cache and could not be fetched: ${reason || error.message}`);
  });
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

const dependency = (group: string, artifact: string, version: string) =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>parley</groupId>
  <artifactId>kafka-jars</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    ${dependency('org.apache.kafka', `kafka_${SCALA}`, KAFKA)}
    ${['log4j-slf4j-impl', 'log4j-core', 'log4j-api'].map((name) => dependency('org.apache.logging.log4j', name, LOG4J)).join('\n    ')}
  </dependencies>
</project>
`;
