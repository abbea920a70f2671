/** Errors that nobody has handled yet, by their promise. */
export const unhandled = new Map();
process.on('unhandledRejection', (error, promise) => unhandled.set(promise, error));
process.on('rejectionHandled', (promise) => unhandled.delete(promise));
process.on('uncaughtException', (error) => unhandled.set(error, error));
