/** Tests run on the sources as they are: swc strips the types, Node's own ESM loads the modules. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  globalSetup: '<rootDir>/deploy/embedded/src/jest-setup.ts',
  globalTeardown: '<rootDir>/deploy/embedded/src/jest-teardown.ts',
  testMatch: ['<rootDir>/{proto,services,gateway,deploy,test}/**/*.test.ts'],
  // Tests on real servers need Java, on real models Python, and more; `npm test` needs Node alone.
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(process.env.STACK ? [] : ['\\.stack\\.test\\.ts$']),
    ...(process.env.MODELS ? [] : ['\\.models\\.test\\.ts$']),
  ],
  // On two cores: tests wait for sockets and disks, too.
  maxWorkers: 3,
  testTimeout: 60_000,
};
