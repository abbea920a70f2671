import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip as gzipWithCallback } from 'node:zlib';
import { type Log, notFound, unavailable } from '@parley/runtime';
import type { Widget } from '@parley/widget';
import { z } from 'zod';
import { openFile } from '../file-routes.ts';
import type { File, Route } from '../route.ts';

const gzip = promisify(gzipWithCallback);
/** Any page may load them, also one that isolates itself from other origins. */
const HEADERS = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };
const LAUNCHER_CACHE = 'public, max-age=300, must-revalidate';
const PANEL_CACHE = 'public, max-age=31536000, immutable';

interface Files {
  version: string;
  launcher: File;
  panels: Map<string, File>;
}

/** The script that a page loads, and what that script loads when the chat is opened. */
export function widgetFiles(widgetFile: string | undefined, log: Log): Route[] {
  let files: Promise<Files> | undefined;
  const loaded = async (): Promise<Files> => {
    try {
      files ??= load(widgetFile);
      return await files;
    } catch (error) {
      files = undefined;
      log.error({ err: error }, 'the chat widget could not be loaded');
      throw unavailable('The chat widget is not available.', error);
    }
  };
  return [
    openFile('/widget.js', 'The chat widget', async () => (await loaded()).launcher),
    openFile(
      '/widget/:version/:file',
      'What the widget loads when it is opened',
      async ({ params }) => {
        const { version, panels } = await loaded();
        const panel = panels.get(params.file);
        if (!panel) throw notFound('There is no such file.');
        // During an update, a page may have the launcher of another release than this gateway is.
        return params.version === version
          ? panel
          : { ...panel, headers: { ...panel.headers, 'Cache-Control': 'no-cache' } };
      },
      z.object({ version: z.string(), file: z.string() }),
    ),
  ];
}

async function load(widgetFile: string | undefined): Promise<Files> {
  const widget =
    widgetFile === undefined ? await fromSources() : (JSON.parse(await readFile(widgetFile, 'utf8')) as Widget);
  const { version, launcher, panels } = widget;
  const file = async (content: string, cache: string, etag: string): Promise<File> => ({
    type: 'text/javascript',
    content,
    gzip: await gzip(content),
    // Weak, since it is the same for the compressed file.
    headers: { ...HEADERS, 'Cache-Control': cache, ETag: `W/"${etag}"` },
  });
  const entries = Object.entries(panels).map(
    async ([language, panel]) => [`${language}.js`, await file(panel, PANEL_CACHE, `${version}-${language}`)] as const,
  );
  return {
    version,
    launcher: await file(launcher, LAUNCHER_CACHE, widget.launcherVersion),
    panels: new Map(await Promise.all(entries)),
  };
}

/** Only a checkout has the bundler. */
async function fromSources(): Promise<Widget> {
  const { bundle } = await import('@parley/widget');
  return bundle();
}
