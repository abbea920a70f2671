import type { Log } from '@parley/runtime';
import type { GatewayConfig } from './config.ts';
import { docsFiles } from './docs.ts';
import { openFile } from './file-routes.ts';
import type { FindChatbot, FindForm } from './public/finders.ts';
import { chatPage, formPage } from './public/own-pages.ts';
import { widgetFiles } from './public/widget-files.ts';
import type { File, Route } from './route.ts';

interface OpenFileDependencies {
  description(): string;
  unready(): Promise<string[]>;
  findChatbot: FindChatbot;
  findForm: FindForm;
  config: Pick<GatewayConfig, 'publicUrl' | 'widgetFile'>;
  log: Log;
}

/** Public files outside the envelope: health, the OpenAPI description and its pages, the chat widget and pages for themselves. */
export const openFiles = (dependencies: OpenFileDependencies): Route[] => [
  ...health(dependencies),
  openFile('/v1/openapi.json', 'This description', async () => ({
    type: 'application/json',
    content: dependencies.description(),
  })),
  ...docsFiles(),
  ...widgetFiles(dependencies.config.widgetFile, dependencies.log),
  chatPage(dependencies.config.publicUrl, dependencies.findChatbot),
  formPage(dependencies.config.publicUrl, dependencies.findForm),
];

/** Yes or no only, since this is public. The reasons are in the log and on the operations port. */
function health({ unready, log }: { unready(): Promise<string[]>; log: Log }): Route[] {
  const plain = (status: number, content: string): File => ({ type: 'text/plain', status, content });
  let logged = '';
  return [
    openFile('/healthz', 'Whether the process is alive', async () => plain(200, 'ok\n')),
    openFile('/readyz', 'Whether it can serve requests', async () => {
      const reasons = (await unready()).join('; ');
      if (reasons !== '' && reasons !== logged) log.warn({ reasons }, 'not ready');
      logged = reasons;
      return reasons === '' ? plain(200, 'ready\n') : plain(503, 'not ready\n');
    }),
  ];
}
