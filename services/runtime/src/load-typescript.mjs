/**
 * Lets a process or a thread of Node 20 run TypeScript. A start takes a third less time than with tsx, which also examines
 * every module of every package.
 */
import { register } from 'node:module';

process.setSourceMapsEnabled(true);
register(new URL('./typescript-hooks.mjs', import.meta.url));
