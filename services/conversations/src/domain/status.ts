/** As the REST contract spells them. */
export const STATUSES = ['open', 'assigned', 'need_more_info', 'resolved', 'closed'] as const;
export const PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;

export type Status = (typeof STATUSES)[number];
export type Priority = (typeof PRIORITIES)[number];

/** Of a new ticket or email. */
export const NEW = { status: 'open', priority: 'medium' } as const satisfies { status: Status; priority: Priority };
