/**
 * The minimum that serves a page of tickets: Koa and the driver. `/page` has no total, `/counted` counts it. Reads
 * MONGODB_URI, ACCOUNT and FORM.
 */
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { MongoClient } from 'mongodb';
import { tellReady } from './program.ts';

const { MONGODB_URI, ACCOUNT, FORM } = process.env;
const LIMIT = 25;
const threads = new MongoClient(MONGODB_URI!).db('parley_conversations').collection<{ _id: string }>('threads');
const filter = { account: ACCOUNT, kind: 'ticket', assistant: FORM, deleted_at: null, status: { $in: ['open'] } };

const app = new Koa().use(async (ctx) => {
  const projection = { status: 1, priority: 1, created_at: 1, updated_at: 1 };
  const [found, total] = await Promise.all([
    threads
      .find(filter, { projection })
      .sort({ created_at: -1, _id: -1 })
      .limit(LIMIT + 1)
      .toArray(),
    ctx.path === '/counted' ? threads.countDocuments(filter) : undefined,
  ]);
  const items = found.slice(0, LIMIT).map(({ _id, ...fields }) => ({ id: _id, ...fields }));
  ctx.body = { success: true, data: { items, total, has_more: found.length > LIMIT } };
});
const server = app.listen(0, '127.0.0.1', () => tellReady((server.address() as AddressInfo).port));
// The same as the gateway's: connections are idle while another one is measured.
server.keepAliveTimeout = 65_000;
