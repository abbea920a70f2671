import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, stop } from 'esbuild';
import { TRANSLATIONS } from '../src/words/words.ts';

/** The widget as browsers load it. */
export interface Widget {
  /** Changes with anything that is in the panels. */
  version: string;
  /** `widget.js`. */
  launcher: string;
  /** Changes with it. */
  launcherVersion: string;
  /** The panel's code by language, loaded when the chat is opened: `widget/VERSION/LANGUAGE.js`. */
  panels: Record<string, string>;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The first that have all that is used: style sheets without an element, and `import()`. */
const BROWSERS = ['chrome111', 'firefox113', 'safari16.4'];
const VERSION_LENGTH = 16;

/** Bundles the widget from its sources, in a fraction of a second. */
export async function bundle(): Promise<Widget> {
  try {
    const [launcherCss, panelCss] = await Promise.all([one('src/launcher/launcher.css'), one('src/panel/panel.css')]);
    const panel = await one('src/panel/main.tsx', { format: 'esm', define: { PANEL_CSS: JSON.stringify(panelCss) } });
    const panels = Object.fromEntries(
      Object.entries(TRANSLATIONS).map(([language, words]) => [
        language,
        `const WORDS=${JSON.stringify(words)};${panel}`,
      ]),
    );
    const version = versionOf(JSON.stringify(panels));
    const define = { LAUNCHER_CSS: JSON.stringify(launcherCss), VERSION: JSON.stringify(version) };
    const launcher = await one('src/launcher/main.ts', { format: 'iife', define });
    return { version, launcher, launcherVersion: versionOf(launcher), panels };
  } finally {
    // Its process would stay.
    await stop();
  }
}

const versionOf = (content: string): string =>
  createHash('sha256').update(content).digest('hex').slice(0, VERSION_LENGTH);

async function one(entry: string, options: BuildOptions = {}): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    target: BROWSERS,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    ...options,
  });
  return outputFiles![0]!.text.trim();
}
