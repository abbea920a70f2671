import manifest from '../package.json' with { type: 'json' };

/** Of this release. */
export const { version: VERSION } = manifest;
