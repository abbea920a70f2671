/**
 * Run by `helm test`: goes from knowledge to a cited answer through the gateway, like a client, in two accounts of its own.
 * Prints a line for each check. Deletes the knowledge it created, even if a check fails.
 */
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const { GATEWAY, FIRST_ACCOUNT_KEY, SITE, SITE_PORT } = process.env;
const TRAINED_WITHIN_MS = 180_000;
const PRIVATE = [
  ['the gateway, by its name', `${GATEWAY}/v1/me`],
  ['this pod itself, by number', 'http://127.0.0.1:8080/'],
  ["the cloud's metadata", 'http://169.254.169.254/latest/meta-data/'],
];
/** Why the outbound guard refuses an address: it is private, or a cloud hands out credentials there. */
const REFUSED = /private address|OUTBOUND_DENY/;
const PAGE =
  '<!doctype html><title>Opening hours</title><h1>Opening hours</h1><p>The observatory opens at nine at night.</p>';

const owner = clientOf(keyOfAccount('helm test'));
const stranger = clientOf(keyOfAccount('helm test, a stranger'));
const made = [];

try {
  await check('the gateway answers its accounts', async () => {
    const { account } = await owner('GET', '/me');
    return `as "${account.name}"`;
  });
  if (FIRST_ACCOUNT_KEY) await check('the key of the first account', firstAccount);
  const chatbot = await findOrMakeChatbot();
  const faq = await check('an FAQ answers, and is cited', () => trainFaq(chatbot));
  if (SITE) await check('a website answers, and is cited', () => trainSite(chatbot));
  else say('-  skipped training a website, which this pod would have to serve: set test.site=true');
  await check("another account's key gets 403", () => beStranger(chatbot, faq));
  for (const [what, url] of PRIVATE)
    await check(`a crawl of a private address is refused: ${what}`, () => refused(url));
  say('All is well.');
} catch (error) {
  say(`FAILED  ${error.message}`);
  process.exitCode = 1;
} finally {
  for (const id of made)
    await owner('DELETE', `/knowledge/${id}`).catch((error) => say(`Could not clean up: ${error.message}`));
}
process.exit();

async function firstAccount() {
  const me = await request(FIRST_ACCOUNT_KEY, 'GET', '/me');
  if (me.status === 401) return 'was revoked';
  return `works: "${dataOf(me).account.name}"`;
}

/** Chatbots can't be deleted, so one serves all runs. */
async function findOrMakeChatbot() {
  const title = 'helm test';
  const chatbots = await owner('GET', '/chatbots');
  return chatbots.find((chatbot) => chatbot.title === title) ?? owner('POST', '/chatbots', { title });
}

async function trainFaq(chatbot) {
  const faq = await make('/knowledge/faq', { title: 'helm test' });
  const question = 'Which colour has the lighthouse lamp?';
  await owner('POST', `/knowledge/${faq.id}/faq-item`, { question, answer: 'The lighthouse lamp is amber.' });
  await train(faq);
  await expectAnswer(chatbot, faq, question, 'amber', null);
  return faq;
}

async function trainSite(chatbot) {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(PAGE));
  await new Promise((resolve) => server.listen(SITE_PORT, resolve));
  try {
    const reached = () =>
      fetch(SITE, { signal: AbortSignal.timeout(2_000) }).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(reached, `${SITE} did not reach this pod`);
    const website = await make('/knowledge/website', { website_url: SITE });
    await train(website);
    await expectAnswer(chatbot, website, 'When does the observatory open?', 'nine at night', SITE);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function expectAnswer(chatbot, item, question, words, url) {
  await owner('PUT', `/chatbot/${chatbot.id}/knowledge`, { knowledge_id: item.id });
  const { message, sources } = await owner('POST', `/chatbot/${chatbot.id}/reply`, { message: question });
  const cited = sources.some((source) => (url ? source.url?.startsWith(url) : source.title === question));
  if (!message.includes(words) || !cited) throw new Error(`"${question}" got: ${message} ${JSON.stringify(sources)}`);
}

async function beStranger(chatbot, faq) {
  const tries = [
    ['GET', `/knowledge/${faq.id}`],
    ['PUT', `/knowledge/${faq.id}/train`],
    ['DELETE', `/knowledge/${faq.id}`],
    ['GET', `/chatbot/${chatbot.id}`],
    ['GET', `/chatbot/${chatbot.id}/chats`],
    ['POST', `/chatbot/${chatbot.id}/reply`, { message: 'Hello?' }],
  ];
  for (const [method, path, body] of tries) {
    const { status } = await stranger.answerTo(method, path, body);
    if (status !== 403) throw new Error(`${method} ${path} returned ${status} to another account's key`);
  }
}

/** Expects a refusal: at once if the address is an IP address, by the training if it is a host name. */
async function refused(url) {
  const answer = await owner.answerTo('POST', '/knowledge/website', { website_url: url });
  if (answer.status === 400 && REFUSED.test(answer.body.message)) return answer.body.message;
  const { id } = dataOf(answer);
  made.push(id);
  const { training_failed_with: reason } = await train({ id }, 'is to fail');
  if (!REFUSED.test(reason)) throw new Error(`${url} was not refused: ${reason}`);
  return reason;
}

async function make(path, body) {
  const item = await owner('POST', path, body);
  made.push(item.id);
  return item;
}

async function train({ id }, isToFail) {
  await owner('PUT', `/knowledge/${id}/train`);
  const settled = async () => {
    const item = await owner('GET', `/knowledge/${id}`);
    return !item.is_training && item;
  };
  const item = await until(settled, `The training of ${id} did not end`, TRAINED_WITHIN_MS);
  if (!isToFail === Boolean(item.training_failed_with))
    throw new Error(`A training ended with: ${item.training_failed_with}`);
  return item;
}

async function check(what, act) {
  const began = performance.now();
  try {
    const result = await act();
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    say(`ok  ${what}${typeof result === 'string' ? `: ${result}` : ''} (${seconds} s)`);
    return result;
  } catch (error) {
    throw new Error(`${what}: ${error.message}`);
  }
}

async function until(ask, failure, withinMs = 30_000) {
  for (const end = performance.now() + withinMs; ; await pause(250)) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > end) throw new Error(`${failure} after ${withinMs / 1000} s.`);
  }
}

/** Runs the operator's program, which returns the same account each time, and a new key that replaces the last one. */
function keyOfAccount(name) {
  const args = ['services/auth/src/account.ts', 'create', '--once', name];
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  return /^API key: (\S+)/m.exec(printed)[1];
}

/** A client with this key. Calling it returns the data of the response; `answerTo` returns the whole response. */
function clientOf(key) {
  const answerTo = (method, path, body) => request(key, method, path, body);
  return Object.assign(async (...args) => dataOf(await answerTo(...args)), { answerTo });
}

async function request(key, method, path, body) {
  const response = await fetch(`${GATEWAY}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(120_000),
  });
  return { asked: `${method} ${path}`, status: response.status, body: await response.json() };
}

function dataOf({ asked, status, body }) {
  if (!body.success) throw new Error(`${asked} returned ${status}: ${body.message}`);
  return body.data;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
