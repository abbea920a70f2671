import { writePdf } from '@parley/reading/testing';
import { expectOneBuild, expectOneEndEach } from '../../stack/whole.ts';
import { type Activity, all, deleted, type Tenant, train } from './tenant.ts';

/** Documents that an account has at a time. */
const KEPT = 2;

type FileType = 'text/plain' | 'text/csv' | 'application/pdf';

const lineOf = (n: number, i: number) => `Crate ${i + 1} of delivery ${n} holds ${n + i} bricks for the small kiln.`;

/** Returns a delivery note to upload, in another format each time. */
function fileOf(n: number): { file_type: FileType; file: Blob } {
  const lines = Array.from({ length: 12 }, (_, i) => lineOf(n, i));
  const rows = ['crate,note', ...lines.map((line, i) => `${i},"${line}"`)];
  const files: { file_type: FileType; file: Blob }[] = [
    { file_type: 'text/plain', file: new Blob([lines.join('\n\n')]) },
    { file_type: 'text/csv', file: new Blob([rows.join('\n')]) },
    { file_type: 'application/pdf', file: new Blob([new Uint8Array(writePdf([lines, lines]))]) },
  ];
  return files[n % files.length]!;
}

/** Uploads documents, trains them, downloads them again, and deletes the oldest. */
export async function documents(tenant: Tenant): Promise<Activity> {
  const { parley, world } = tenant;
  const kept: { id: string; file: Blob }[] = [];

  async function expectWhole({ id, file }: (typeof kept)[number]) {
    const downloaded = (await parley.get('/knowledge/{id}/file', { path: { id } })) as Blob;
    const [sent, got] = await Promise.all(
      [file, downloaded].map(async (blob) => Buffer.from(await blob.arrayBuffer())),
    );
    if (!sent!.equals(got!)) throw new Error(`The document ${id} is not what was uploaded.`);
    await expectOneBuild(world.mongo, id);
    await expectOneEndEach(world.mongo, id, world.ends);
  }

  return {
    name: 'document',
    async round(n) {
      const { file_type, file } = fileOf(n);
      const body = { file_type, file_name: `delivery-${n}` };
      const { id, upload_url } = await parley.post('/knowledge/document', { body });
      await parley.upload(upload_url, file);
      await parley.post('/knowledge/{id}/finalize', { path: { id } });
      await train(tenant, id);
      const sources = await all(parley.list('/knowledge/{id}/sources', { path: { id }, query: { limit: 5 } }));
      if (sources.length === 0) throw new Error('A trained document has no sources.');
      kept.push({ id, file });
      if (kept.length <= KEPT) return;
      const oldest = kept.shift()!;
      await expectWhole(oldest);
      await deleted(tenant, () => parley.delete('/knowledge/{id}', { path: { id: oldest.id } }));
    },
    async check() {
      for (const document of kept) await expectWhole(document);
    },
  };
}
