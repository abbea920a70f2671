import { z } from 'zod';
import { escapeHtml } from '../fields/html.ts';
import { openFile } from '../file-routes.ts';
import { ICON } from '../icon.ts';
import type { File, Route } from '../route.ts';
import type { FindChatbot, FindForm } from './finders.ts';

/** Nothing inline, nothing from elsewhere, and no way to make code or markup of text. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

interface Shown {
  publicId: string;
  title: string;
  allowedDomains: readonly string[];
}

/** A chatbot as a page for itself. */
export const chatPage = (publicUrl: string | undefined, find: FindChatbot): Route =>
  ownPage(publicUrl, {
    ...{ path: '/chat/:public_id', summary: 'A chatbot as a page for itself', attribute: 'data-chatbot' },
    find: async (publicId) => (await find(publicId))?.chatbot,
  });

/** A ticket form as a page for itself. */
export const formPage = (publicUrl: string | undefined, find: FindForm): Route =>
  ownPage(publicUrl, {
    ...{ path: '/form/:public_id', summary: 'A ticket form as a page for itself', attribute: 'data-form' },
    find: async (publicId) => (await find(publicId))?.form,
  });

interface OwnPage {
  path: string;
  summary: string;
  /** An attribute of the script tag, which names what the page shows. */
  attribute: string;
  find(publicId: string): Promise<Shown | undefined>;
}

/** The script gives the page its language. */
function ownPage(publicUrl: string | undefined, { path, summary, attribute, find }: OwnPage): Route {
  // The part of the public address that a proxy removes.
  const prefix = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
  const route = openFile(
    path,
    summary,
    async ({ params }) => {
      const found = await find(params.public_id);
      if (!found) return page({ status: 404, title: 'Not found', body: '<p>There is no such page.</p>', framedBy: [] });
      const { publicId, title, allowedDomains } = found;
      const script = `<script async src="${prefix}/widget.js" ${attribute}="${publicId}" data-page></script>`;
      const body = `<noscript>This page needs JavaScript.</noscript>${script}`;
      return page({ status: 200, title, body, framedBy: allowedDomains });
    },
    z.object({ public_id: z.string() }),
  );
  return { ...route, limited: true };
}

interface Page {
  status: number;
  title: string;
  body: string;
  /** Domains, as chatbots have them. */
  framedBy: readonly string[];
}

function page({ status, title, body, framedBy }: Page): File {
  // Policies know no IPv6 addresses.
  const ancestors = framedBy.filter((domain) => !domain.includes('[')).join(' ') || "'none'";
  return {
    type: 'text/html',
    status,
    headers: {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': [...POLICY, `frame-ancestors ${ancestors}`].join('; '),
    },
    content: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${ICON}">
</head>
<body>${body}</body>
</html>
`,
  };
}
