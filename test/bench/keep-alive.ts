import { Agent, request } from 'node:http';

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends requests over that many kept-alive connections; resolves to the body of a 200, otherwise rejects. */
export function keepAlive(connections: number): (url: string, asked?: Asked) => Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return (url, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const sent = request(url, { agent, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('error', reject)
          .on('end', () => {
            const answer = Buffer.concat(chunks).toString();
            if (response.statusCode === 200) resolve(answer);
            else reject(new Error(`${method} ${url}: ${response.statusCode}: ${answer.slice(0, 500)}`));
          });
      });
      sent.on('error', reject).end(body);
    });
}
