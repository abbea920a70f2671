import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { accountShare, createShares, createTally, invalidArgument, type Log } from '@parley/runtime';
import type { ObjectStore } from '@parley/runtime/objects';
import { randomId } from '@parley/runtime/rpc';
import type { Limits } from '../config.ts';
import { type AllowedFile, allowedFile } from '../public/file-types.ts';
import { HttpError, tooManyInProgress } from './http-error.ts';
import { type JsonObject, parseObject } from './json.ts';

const MIB = 1024 * 1024;
const MAX_FILES = 5;
const MAX_FILE_BYTES = 10 * MIB;
const MAX_FIELD_BYTES = MIB;
const MAX_FIELDS = 10;
const MAX_BYTES = MAX_FILES * MAX_FILE_BYTES + 2 * MIB;

/** Receives forms with files: `multipart/form-data`. */
export interface FormBodies {
  /**
   * Stores the files. Throws 413 for what is too large, 400 for what is no form or a type that is not accepted, 408 for a
   * client that is too slow, 429 or UNAVAILABLE if too many uploads are in progress; then nothing is left of them.
   */
  receive(request: IncomingMessage, from: FormOrigin): Promise<FormBody>;
}

export interface FormOrigin {
  account: string;
  /** The client's address; the client has no key. */
  address: string;
  /** Where to store files of a form that this address has filled in; throws if it may not. */
  folderFor(email: string): Promise<string>;
}

export interface FormBody {
  /** With `files`, so that other files make another request. */
  fields: JsonObject;
  /** A new folder in that of the form. */
  folder: string;
  files: readonly StoredFile[];
  /** Set by the route: the folder that its ticket names. Until it has an answer, nobody knows. */
  kept?: string;
  /** Removes the files. */
  discard(): Promise<void>;
}

export interface StoredFile extends AllowedFile {
  size: number;
  sha256: string;
}

type FormLimits = Pick<Limits, 'bodyMs' | 'uploadMs' | 'uploadsAtOnce'>;
type Objects = Pick<ObjectStore, 'put' | 'deletePrefix'>;

export const isForm = ({ headers }: IncomingMessage): boolean =>
  /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');

export function createFormBodies(objects: Objects, limits: FormLimits, log: Log): FormBodies {
  const shares = createShares(limits.uploadsAtOnce, tooManyInProgress('uploads'));
  // Half of what an account may have, or one stranger would close its forms to all others.
  const perAddress = accountShare(accountShare(limits.uploadsAtOnce));
  const byAddress = createTally();

  function begin(account: string, address: string): Disposable {
    if (byAddress.of(address) >= perAddress)
      throw new HttpError(429, `This address has ${perAddress} uploads in progress. Try again in a moment.`, {
        'Retry-After': '5',
      });
    const held = shares.begin(account);
    byAddress.add(address, 1);
    return {
      [Symbol.dispose]() {
        held[Symbol.dispose]();
        byAddress.add(address, -1);
      },
    };
  }

  return {
    async receive(request, { account, address, folderFor }) {
      if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge();
      using _ = begin(account, address);
      const folder = randomId();
      const files: StoredFile[] = [];
      let parent: string | undefined;
      const discard = async () => {
        if (files.length === 0) return;
        await objects
          .deletePrefix(`${parent}${folder}/`)
          .catch((err) => log.warn({ err, folder }, 'files of a form were not removed'));
      };
      let storing = Promise.resolve();
      async function keep(name: string, content: Buffer, email: string, signal: AbortSignal) {
        const allowed = await allowedFile(name, content);
        parent ??= await folderFor(email);
        const stored = await objects.put(`${parent}${folder}/${files.length}.bin`, content, {
          contentType: allowed.type,
          signal,
        });
        files.push({ ...allowed, ...stored });
      }
      const store: Store = (...file) => {
        storing = keep(...file);
        return storing;
      };
      try {
        const texts = await read(request, limits, store);
        return { fields: { ...fieldsOf(texts), files }, folder, files, discard };
      } catch (error) {
        // What is being stored may still appear.
        await storing.catch(() => {});
        await discard();
        throw error;
      }
    },
  };
}

type Store = (name: string, content: Buffer, email: string, signal: AbortSignal) => Promise<void>;

/** Reads a form, one file after the other: no more than one is held in memory. Returns its other fields. */
function read(request: IncomingMessage, { bodyMs, uploadMs }: FormLimits, store: Store): Promise<Map<string, string>> {
  let resolve!: (texts: Map<string, string>) => void;
  let reject!: (error: unknown) => void;
  const done = new Promise<Map<string, string>>((resolved, rejected) => {
    [resolve, reject] = [resolved, rejected];
  });
  const failed = new AbortController();
  const texts = new Map<string, string>();
  const parser = parserFor(request.headers);
  let work = Promise.resolve();

  function end(error?: unknown) {
    clearTimeout(silence);
    clearTimeout(late);
    request.off('close', brokeOff).off('data', heard);
    if (error === undefined) return resolve(texts);
    failed.abort(error);
    reject(error);
    // What is left is read and dropped, so that the client gets its answer instead of a broken connection.
    request.unpipe(parser);
    request.resume();
    parser.destroy();
  }
  const refuse = (error: unknown) => failed.signal.aborted || end(error);
  const slow = () => refuse(new HttpError(408, 'The form took too long to arrive.', { Connection: 'close' }));
  const silence = setTimeout(() => (parser.writableNeedDrain ? silence.refresh() : slow()), bodyMs);
  const late = setTimeout(slow, uploadMs);
  const heard = () => silence.refresh();
  const brokeOff = () => request.complete || refuse(invalidArgument('The form broke off.'));

  parser
    .on('field', (name, value, _, isCut) => {
      if (isCut) refuse(tooLarge());
      else texts.set(name, value);
    })
    .on('file', (_, stream, name) => {
      stream.on('error', refuse);
      work = work.then(async () => {
        const content = await contentOf(stream);
        // Where nobody chose a file, browsers send an empty one without a name.
        if (content.length === 0 && !name) return;
        if (content.length === 0) throw invalidArgument(`The file "${name}" is empty.`);
        await store(name ?? '', content, texts.get('email') ?? '', failed.signal);
      });
      work.catch(refuse);
    })
    .on('filesLimit', () => refuse(invalidArgument(`A form takes at most ${MAX_FILES} files.`)))
    .on('fieldsLimit', () => refuse(invalidArgument(`The form must have at most ${MAX_FIELDS} parts besides files.`)))
    .on('error', () => refuse(notAForm()))
    .on('finish', () => work.then(() => failed.signal.aborted || end(), refuse));
  request.once('close', brokeOff).on('error', brokeOff).on('data', heard).pipe(parser);
  return done;
}

function parserFor(headers: IncomingMessage['headers']): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type']! },
      // A client may send a Blob for them.
      isPartAFile: (field, _, name) => name !== undefined && field !== 'answers',
      limits: { files: MAX_FILES, fileSize: MAX_FILE_BYTES, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES },
    });
  } catch {
    throw notAForm();
  }
}

async function contentOf(stream: Readable & { truncated?: boolean }): Promise<Buffer> {
  const content = Buffer.concat(await stream.toArray());
  if (stream.truncated) throw tooLarge();
  return content;
}

/** The fields as JSON would have them: `answers` is JSON in its part. */
function fieldsOf(texts: ReadonlyMap<string, string>): JsonObject {
  const { answers, ...others } = Object.fromEntries(texts);
  const fields = parseObject(Buffer.from(JSON.stringify(others)));
  if (answers === undefined || answers.trim() === '') return fields;
  try {
    return { ...fields, answers: parseObject(Buffer.from(`{"answers":${answers}}`)).answers };
  } catch {
    throw invalidArgument('answers must be a list in JSON.');
  }
}

const notAForm = () => invalidArgument('The body is not well-formed multipart/form-data.');
const tooLarge = () =>
  new HttpError(413, 'A form takes up to five files of 10,485,760 bytes (10 MiB) each, and 1 MiB of text.');
