/** Tests run on the sources as they are: Node strips the types, and loads each module once for all files of a worker. */
export default {
  runner: ['<rootDir>/test/runner/runner.mjs', { runtime: 'child_process' }],
  setupFiles: ['<rootDir>/test/runner/setup.mjs'],
  transform: {},
  globalSetup: '<rootDir>/deploy/embedded/src/jest-setup.ts',
  globalTeardown: '<rootDir>/deploy/embedded/src/jest-teardown.ts',
  testMatch: ['<rootDir>/{proto,packages,services,gateway,deploy,clients,test}/**/*.test.ts'],
  // Tests on real servers need Java, on real models Python, and more; `npm test` needs Node alone.
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(process.env.STACK ? [] : ['\\.stack\\.test\\.ts$']),
    ...(process.env.MODELS ? [] : ['\\.models\\.test\\.ts$']),
  ],
  // On two cores, because tests wait a quarter of their time; more would starve each other, since many start processes.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/runner/sequencer.mjs',
};
