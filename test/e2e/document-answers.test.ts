import { expect, test } from '@jest/globals';
import { sample, writePdf } from '@parley/reading/testing';
import { must } from './api.ts';
import { shared } from './shared.ts';

const { a } = await shared();

async function document(file_type: string, file_name: string, file: Uint8Array | string) {
  const made = must(
    await a.api.post<{ id: string; upload_url: string }>('/knowledge/document', { file_type, file_name }),
  );
  expect((await fetch(made.upload_url, { method: 'PUT', body: file as never })).status).toBe(200);
  must(await a.api.post(`/knowledge/${made.id}/finalize`));
  return made;
}

const manual = writePdf([
  ['Manual of the water wheel', 'It was built in 1804 of oak.'],
  ['The wheel turns when the sluice is open.', 'Grease the axle with tallow every Monday.'],
  ['Spare paddles are kept in the loft.'],
]);

test.each([
  ['application/pdf', 'wheel.pdf', manual, 'When is the axle greased?', 'tallow', 'wheel.pdf, page 2'],
  [
    'text/plain',
    'hours.txt',
    Buffer.from('The reading room opens at nine.\n'),
    'When does the reading room open?',
    'nine',
    'hours.txt',
  ],
  [
    'application/msword',
    'handbook.doc',
    await sample('libreoffice.doc'),
    'What is the price of candles?',
    'Candles | 7 crowns',
    'handbook.doc, Prices',
  ],
  [
    'application/msword',
    'handbook.docx',
    await sample('libreoffice.docx'),
    'What is the axle greased with?',
    'tallow',
    'handbook.docx, Care',
  ],
  [
    'text/csv',
    'prices.csv',
    'Article;Price in crowns\nHoney;12\nCandles;7\n',
    'What is the price of candles?',
    'Price in crowns: 7',
    'prices.csv, row 3',
  ],
] as const)(
  'a document of type %s is trained and cited with its place',
  async (type, name, file, question, answer, title) => {
    const made = await document(type, name, file);
    expect(await a.train(made)).toMatchObject({
      training_failed_with: null,
      trained_at: expect.any(String),
      training_notes: [],
    });
    const { message, sources } = await a.ask(await a.chatbot(made), question);
    expect(message).toContain(answer);
    expect(sources[0]).toEqual({ n: 1, title, url: null });
  },
);
