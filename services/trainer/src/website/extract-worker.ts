import { parentPort } from 'node:worker_threads';
import { extract } from './extract.ts';
import type { ExtractRequest } from './extractor.ts';

parentPort!.on('message', ({ html, address }: ExtractRequest) => parentPort!.postMessage(extract(html, address)));
parentPort!.postMessage('ready');
