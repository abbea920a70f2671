/** The minimum that serves the page of `GET /v1/chatbots`: Koa and the driver. Reads MONGODB_URI and ACCOUNT. */
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { MongoClient } from 'mongodb';
import { tellReady } from './program.ts';

const { MONGODB_URI, ACCOUNT } = process.env;
const assistants = new MongoClient(MONGODB_URI!).db('parley_assistants').collection('assistants');

const app = new Koa().use(async (ctx) => {
  const found = await assistants
    .find({ account: ACCOUNT, kind: 'chatbot', deleted_at: null })
    .sort({ created_at: -1, _id: -1 })
    .toArray();
  const data = found.map(({ _id, public_id, title, allowed_domains }) => ({
    id: _id,
    public_id,
    title,
    allowed_domains,
  }));
  ctx.body = { success: true, data };
});
const server = app.listen(0, '127.0.0.1', () => tellReady((server.address() as AddressInfo).port));
// The same as the gateway's: connections are idle while the other one is measured.
server.keepAliveTimeout = 65_000;
