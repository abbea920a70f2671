import { ThreadPriority, ThreadStatus } from '@parley/proto/conversations/v1/conversations_service_pb';
import { atMost } from '@parley/runtime/text';
import { z } from 'zod';
import { enumNames } from './enum-names.ts';

export const STATUS = enumNames(ThreadStatus, 'Status');
export const PRIORITY = enumNames(ThreadPriority, 'Priority');

/** Enough to name every status many times. */
const MAX_LENGTH = 1_000;
const MESSAGE = `must be one or more of ${STATUS.names.join(', ')}, separated by commas`;

/** A list of statuses as a filter in a query. Its order and repetitions make no difference, so cursors ignore them too. */
export const statusesParameter = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat().join(','))
  .refine((text) => text.length <= MAX_LENGTH, { error: atMost(MAX_LENGTH), abort: true })
  .transform((text, ctx) => {
    const given = text.split(',').map((status) => status.trim().toLowerCase());
    const statuses = STATUS.names.filter((name) => given.includes(name));
    if (given.every((status) => (statuses as string[]).includes(status))) return statuses;
    ctx.addIssue({ code: 'custom', message: MESSAGE });
    return z.NEVER;
  })
  .optional()
  .meta({
    description: `Comma-separated: ${STATUS.names.join(', ')}, in any case. Repeated parameters are joined.`,
    type: 'string',
    anyOf: undefined,
    maxLength: MAX_LENGTH,
  });
