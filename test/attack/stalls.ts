import { randomUUID } from 'node:crypto';
import { superlinear } from '@parley/runtime/testing';
import { must } from '../e2e/api.ts';
import type { TicketForm } from '../e2e/resources.ts';
import { publicApi } from '../e2e/visitor.ts';
import type { World } from '../e2e/world.ts';
import { AWKWARD } from '../linear/awkward.ts';

/** Characters of the longest message. */
const LONGEST = 10_000;
/** A request takes some of it, whatever it says. */
const NEGLIGIBLE_MS = 40;

/** Sends awkward texts wherever an account, or a visitor through it, may send a long one. All services are in this process. */
export async function stall({ account }: World): Promise<string> {
  const { api, ...own } = await account('Stalling');
  const faq = await own.faq('Rye', { 'When is rye sown?': 'Rye is sown in the autumn, before the first frost.' });
  await own.train(faq);
  const chatbot = await own.chatbot(faq);
  const fields = [{ name: 'What', type: 'LONG_TEXT' }];
  const form = must(await api.post<TicketForm>('/ticket-forms', { title: 'Stalling', fields }));
  const field_id = form.fields[0]!.id;
  const open = (email: string, value: string) =>
    publicApi(api.baseUrl).post(`/public/v1/ticket-forms/${form.public_id}/tickets`, {
      email,
      answers: [{ field_id, value }],
    });
  const requests = {
    message: (message: string) => api.post(`/chatbot/${chatbot.id}/reply`, { message }),
    answer: (answer: string) => api.post(`/knowledge/${faq.id}/faq-item`, { question: 'Why?', answer }),
    pattern: (text: string) => api.patch(`/knowledge/${faq.id}`, { include: [`/${text}`] }),
    form: (value: string) => open('ann@example.com', value),
    sender: (email: string) => open(email, 'Why?'),
    title: (title: string) => api.post('/knowledge/faq', { title }),
  };
  for (const [what, request] of Object.entries(requests)) {
    const unit = await superlinear(request, AWKWARD, { longest: LONGEST, negligibleMs: NEGLIGIBLE_MS });
    if (unit !== undefined) throw new Error(`${what}: ${JSON.stringify(unit)} takes more than linear time`);
  }
  return `${AWKWARD.length} kinds of text`;
}

/** Bounds reading a transcript of a megabyte, with much room; looking for an item takes a few milliseconds. */
const READING_MS = 60;

export async function sendTranscripts({ account }: World): Promise<void> {
  const { api } = await account('Transcripts');
  const cue = '00:00:01,000 --> 00:00:02,000\nR\n\n';
  const transcript = cue.repeat(Math.floor(880_000 / cue.length));
  const cpuMs = async (path: string) => {
    const before = process.cpuUsage();
    const { status } = await api.patch(path, { transcript });
    const { user, system } = process.cpuUsage(before);
    return { status, ms: (user + system) / 1_000 };
  };
  const { id } = must(
    await api.post<{ id: string }>('/knowledge/video', {
      video_type: 'YOUTUBE',
      video_url: 'https://youtu.be/dQw4w9WgXcQ',
    }),
  );
  const known = await cpuMs(`/knowledge/${id}`);
  if (known.status !== 200) throw new Error(`a video's own transcript: ${known.status}`);
  let least = Infinity;
  for (let i = 0; i < 5; i++) {
    const { status, ms } = await cpuMs(`/knowledge/${randomUUID()}`);
    if (status !== 404) throw new Error(`an unknown item: ${status}`);
    least = Math.min(least, ms);
  }
  if (least > READING_MS) throw new Error(`an unknown item took ${least.toFixed(0)} ms`);
}
