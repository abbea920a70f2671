import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, must } from '../e2e/api.ts';
import type { World } from '../e2e/world.ts';

const LARGEST = 52_428_800;
const AGAIN = 20;
const SLOW = 64;
const HEARD_MS = 5_000;

/** Makes the system read bytes for nothing. */
export async function wasteBytes({ account }: World): Promise<string> {
  const [attacker, other] = [await account('Wasting'), await account('Reading')];
  const text = Buffer.alloc(LARGEST, 'text ');
  const refused = Buffer.concat([text.subarray(1), Buffer.of(0)]);
  const finalizing = await uploaded(attacker.api, refused);
  const timed = async () => {
    const begun = performance.now();
    const { status } = await attacker.api.post(`/knowledge/${finalizing}/finalize`);
    if (status !== 400) throw new Error(`a text that ends with NUL: ${status}`);
    return performance.now() - begun;
  };
  const first = await timed();
  let again = 0;
  for (let i = 0; i < AGAIN; i++) again += await timed();
  if (again / AGAIN > first / 3) throw new Error(`read again: ${(again / AGAIN).toFixed(0)} of ${first.toFixed(0)} ms`);

  const [held, read] = [await finalized(attacker.api, text), await finalized(other.api, Buffer.from('Prices'))];
  const slow = Array.from({ length: SLOW }, () => slowDownload(attacker.api.baseUrl, held, attacker.key));
  try {
    const statuses = await Promise.all(slow.map(({ status }) => status));
    const served = statuses.filter((status) => status === 200).length;
    if (served > SLOW / 2 || !statuses.includes(429)) throw new Error(`${served} of ${SLOW} slow downloads are served`);
    const response = await fetch(`${other.api.baseUrl}/knowledge/${read}/file`, {
      headers: { authorization: `Bearer ${other.key}` },
      signal: AbortSignal.timeout(HEARD_MS),
    });
    if ((await response.text()) !== 'Prices') throw new Error(`another account's download: ${response.status}`);
    return `${served} of ${SLOW} slow downloads are served`;
  } finally {
    for (const { end } of slow) end();
  }
}

/** The id of a document of plain text with this file. */
async function uploaded(api: Api, file: Buffer<ArrayBuffer>): Promise<string> {
  const made = must(
    await api.post<{ id: string; upload_url: string }>('/knowledge/document', { file_type: 'text/plain' }),
  );
  const { status } = await fetch(made.upload_url, { method: 'PUT', body: file });
  if (status !== 200) throw new Error(`an upload: ${status}`);
  return made.id;
}

async function finalized(api: Api, file: Buffer<ArrayBuffer>): Promise<string> {
  const id = await uploaded(api, file);
  must(await api.post(`/knowledge/${id}/finalize`));
  return id;
}

/** Reads the head of the answer, and then a little now and then. */
function slowDownload(baseUrl: string, id: string, key: string) {
  const { hostname, port, pathname } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  const status = new Promise<number>((resolve, reject) => {
    socket.on('error', reject).once('data', (data) => resolve(Number(data.toString('latin1').split(' ')[1])));
  });
  socket.on('data', async () => {
    socket.pause();
    await sleep(500);
    socket.resume();
  });
  const head = `Host: ${hostname}\r\nAuthorization: Bearer ${key}`;
  socket.write(`GET ${pathname}/knowledge/${id}/file HTTP/1.1\r\n${head}\r\n\r\n`);
  return { status, end: () => socket.destroy() };
}
