import { z } from 'zod';
import { route } from '../../route.ts';
import { usage, usageJson } from './json.ts';

export const listUsage = route({
  method: 'GET',
  path: '/usage',
  summary: 'List what the account uses, with its limits',
  description:
    'What would exceed a limit without a window is refused with 403, in a sentence that names it. Once the model tokens of a day are spent, replies quote the best passages; once the embedding tokens are, trainings fail, and questions are searched by their words only.',
  extension: true,
  scope: 'ACCOUNT_WRITE',
  response: z.array(usage),
  async call(_, { knowledge, conversations, auth, assistants, events }) {
    const services = [knowledge, conversations, auth, assistants, events];
    const all = await Promise.all(services.map((service) => service.getUsage({})));
    return all.flatMap(({ items }) => items);
  },
  toJson: (all) => all.map(usageJson),
});
