import { z } from 'zod';
import { escapeHtml } from '../fields/html.ts';
import { ICON } from '../icon.ts';
import { type File, openFile, type Route } from '../route.ts';
import type { FindChatbot } from './finders.ts';

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

/** A chatbot as a page for itself. The script gives it its language. */
export function chatPage(publicUrl: string | undefined, findChatbot: FindChatbot): Route {
  // The part of the public address that a proxy removes.
  const prefix = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
  const route = openFile(
    '/chat/:public_id',
    'A chatbot as a page for itself',
    async ({ params }) => {
      const found = await findChatbot(params.public_id);
      if (!found) return page({ status: 404, title: 'Not found', body: '<p>There is no such chat.</p>', framedBy: [] });
      const { publicId, title, allowedDomains } = found.chatbot;
      const script = `<script async src="${prefix}/widget.js" data-chatbot="${publicId}" data-page></script>`;
      const body = `<noscript>This chat needs JavaScript.</noscript>${script}`;
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
