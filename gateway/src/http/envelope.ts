/** The form of every response; `data` is absent if an operation returns none. */
export type Envelope = { success: true; data?: unknown } | { success: false; message: string };

export const success = (data?: unknown): Envelope => (data === undefined ? { success: true } : { success: true, data });

export const failure = (message: string): Envelope => ({ success: false, message });
