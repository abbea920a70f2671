import { ignoredPaths } from './test/groups/groups.mjs';

const strip = (parser, transform) => [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', ...parser },
      target: 'es2023',
      experimental: { keepImportAttributes: true },
      transform,
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  },
];

/** Tests run on the sources as they are: swc strips the types, Node's own ESM loads the modules. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.ts$': strip({}),
    '^.+\\.tsx$': strip({ tsx: true }, { react: { runtime: 'automatic', importSource: 'preact' } }),
  },
  globalSetup: '<rootDir>/deploy/embedded/src/jest-setup.ts',
  globalTeardown: '<rootDir>/deploy/embedded/src/jest-teardown.ts',
  testMatch: ['<rootDir>/{proto,packages,services,gateway,deploy,clients,test}/**/*.test.ts'],
  // Tests on real servers need Java, on real models Python, and more; `npm test` needs Node alone.
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(process.env.STACK ? [] : ['\\.stack\\.test\\.ts$']),
    ...(process.env.MODELS ? [] : ['\\.models\\.test\\.ts$']),
    ...ignoredPaths(process.env.TEST_GROUPS === 'true'),
  ],
  // On two cores, because tests wait a quarter of their time; more would starve each other, since many start processes.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/longest-first.mjs',
  testTimeout: 300_000,
};
