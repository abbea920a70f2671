import { spawn } from 'node:child_process';

/** Enough of a program's output to see why it failed. */
const KEPT_CHARACTERS = 2_000;

/**
 * Runs a program for at most `timeout` milliseconds. Resolves to `{ ok, output }`, where `output` is the end of what it wrote;
 * never rejects.
 */
export function runProgram(command, args, { timeout, ...options }) {
  return new Promise((resolve) => {
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-KEPT_CHARACTERS);
    };
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    // Not spawn's own timeout: if the program does not exist, its timer keeps this process alive.
    const limit = setTimeout(() => child.kill(), timeout);
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => {
      clearTimeout(limit);
      resolve({ ok: false, output: error.code === 'ENOENT' ? `${command} is not installed` : error.message });
    });
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      if (signal) keep(`${command} was ended after ${timeout / 1000} s at most (${signal})`);
      resolve({ ok: code === 0, output: output.trim() });
    });
  });
}
