import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const GLOBALS = new URL('globals.mjs', import.meta.url).href;
/** What only tests use: it may keep the state of a test file, and its hooks. */
const TEST_CODE = /\/testing[/.]|\/test\/(?!runner\/(unhandled|kept)\.)|\.fixture\.ts$/;

registerHooks({
  /**
   * Sources and packages are loaded once for all test files of a process; what only tests use, anew for each file. The runner
   * gives each file a query of its own, which is passed on to what the file imports.
   */
  resolve(specifier, context, next) {
    const found = specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context);
    const { search } = new URL(context.parentURL ?? found.url);
    const isOfFile = search && TEST_CODE.test(found.url) && !found.url.includes('/node_modules/');
    return isOfFile ? { ...found, url: found.url + search } : found;
  },
  /** Node strips types, but does not compile JSX. */
  load(url, context, next) {
    if (!/\.tsx(\?|$)/.test(url)) return next(url, context);
    const options = { entryPoints: [fileURLToPath(url)], jsx: 'automatic', jsxImportSource: 'preact', write: false };
    const [{ text: source }] = require('esbuild').buildSync(options).outputFiles;
    return { format: 'module', source, shortCircuit: true };
  },
});
