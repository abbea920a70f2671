/** Sends mails, as a process of its own: each `Errand` that its parent sends, and answers with the mails per second. */
import { createTransport } from 'nodemailer';
import { tellReady } from './program.ts';

export interface Errand {
  port: number;
  to: string;
  /** Number of the first thread: each gets a mail, and then a reply to it. */
  first: number;
  threads: number;
  text: string;
}

const CONNECTIONS = 10;
const HISTORY = Array.from(
  { length: 30 },
  (_, i) => `> Line ${i} of what was said before, which a reply repeats.`,
).join('\n');

process.on('message', ({ port, to, first, threads, text }: Errand) => {
  void (async () => {
    const pool = createTransport({
      ...{ host: '127.0.0.1', port, pool: true, maxConnections: CONNECTIONS, maxMessages: Infinity, ignoreTLS: true },
    });
    const began = performance.now();
    for (const isReply of [false, true])
      await Promise.all(
        Array.from({ length: threads }, (_, i) => {
          const [id, from] = [`<${first + i}@example.com>`, `Ann <ann-${first + i}@example.com>`];
          return isReply
            ? pool.sendMail({
                from,
                to,
                subject: 'Re: My lamp',
                text: `${text}\n\nOn Monday, I wrote:\n${HISTORY}`,
                inReplyTo: id,
              })
            : pool.sendMail({ from, to, subject: 'My lamp', text: `It flickers.\n\n${HISTORY}`, messageId: id });
        }),
      );
    const perSecond = (2 * threads * 1000) / (performance.now() - began);
    pool.close();
    process.send!({ perSecond });
  })();
});
tellReady(true);
