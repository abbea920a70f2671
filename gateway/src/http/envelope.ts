/** Every answer's form; `data` is left out where an operation has none to give. */
export type Envelope = { success: true; data?: unknown } | { success: false; message: string };

export const success = (data?: unknown): Envelope => (data === undefined ? { success: true } : { success: true, data });

export const failure = (message: string): Envelope => ({ success: false, message });
