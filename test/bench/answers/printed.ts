import type { Result } from './result.ts';

/** A question with its answer, to be read. */
export function printed({ question, reply, score, best }: Result): string {
  const { id, before, ask, sections, facts, needs } = question;
  const verdict = [
    score.outcome,
    score.citedSection ? 'cited by section' : score.cited && 'cited',
    reply.confidence,
    `${score.length} characters`,
    `${reply.millis.toFixed(0)} ms`,
    best && `evidence ${best.evidence.toFixed(2)}${best.isRight ? ' of the right section' : ''}`,
  ];
  return [
    `=== ${id}: ${verdict.filter(Boolean).join(', ')}`,
    ...before.map((earlier) => `    before: ${earlier}`),
    `  asked: ${ask}`,
    ...sections.map((section) => `  stands in: ${section}`),
    ...facts.map((fact) => `  fact: ${fact.join(' | ')}`),
    ...needs.map((need) => `  needs: ${need}`),
    ...reply.message.split('\n').map((line) => `  > ${line}`),
    '',
  ].join('\n');
}
