import { mkdir, mkdtemp, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Writes the files of a Secret as Kubernetes mounts them: all are replaced at once, by swapping one symbolic link. */
async function mountSecret(directory: string, files: Record<string, string | Buffer>): Promise<void> {
  await mkdir(directory, { recursive: true });
  const data = await mkdtemp(join(directory, '..data_'));
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(data, name), content);
    await symlink(join('..data', name), join(directory, name)).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  await symlink(basename(data), join(directory, '..data_tmp'));
  await rename(join(directory, '..data_tmp'), join(directory, '..data'));
}

/** Mounts a certificate with its key and the CAs that its owner accepts, all of which were issued in `from`. */
export async function mountCertificate(directory: string, from: string, name: string, cas: string[]): Promise<void> {
  const read = (file: string) => readFile(join(from, file));
  await mountSecret(directory, {
    'tls.crt': await read(`${name}.crt`),
    'tls.key': await read(`${name}.key`),
    'ca.crt': Buffer.concat(await Promise.all(cas.map((ca) => read(`${ca}.crt`)))),
  });
}
