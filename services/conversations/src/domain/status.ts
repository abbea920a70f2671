/** As the REST contract spells them. */
export const STATUSES = ['open', 'assigned', 'need_more_info', 'resolved', 'closed'] as const;
export const PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;

export type Status = (typeof STATUSES)[number];
export type Priority = (typeof PRIORITIES)[number];

/** Returns whether nobody expects anything more. */
export const isOver = (status: string | null): boolean => status === 'resolved' || status === 'closed';

/** The initial status and priority of a ticket or an email. */
export const NEW = { status: 'open', priority: 'medium' } as const satisfies { status: Status; priority: Priority };
