import { ThreadPriority, ThreadStatus } from '@parley/proto/conversations/v1/conversations_service_pb';
import { enumNames } from './enum-names.ts';
import { namesParameter } from './names.ts';

export const STATUS = enumNames(ThreadStatus, 'Status');
export const PRIORITY = enumNames(ThreadPriority, 'Priority');

/** A list of statuses as a filter in a query. */
export const statusesParameter = namesParameter(
  STATUS.names,
  1_000,
  `Comma-separated: ${STATUS.names.join(', ')}, in any case. Repeated parameters are joined.`,
);
