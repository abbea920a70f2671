/** The description's introduction, in Markdown. */
export const DESCRIPTION = `
## Responses

Every response is \`{success: true, data}\` or \`{success: false, message}\`, where the message is a sentence that names the
field, the scope or the resource. Anything marked \`x-parley-extension\` is not in the original contract. Every response
carries \`X-Request-Id\`: the caller's own if it matches \`[A-Za-z0-9._-]{1,64}\`.

Checks come in this order: key (401), rate (429), path (404), method (405), scope (403), size (413), type (415), form of
ids, query and body (400), existence (404), ownership (403), conflict (409).

The \`message\` of a reply is plain text with \`[n]\` marks and a list of sources at the end. It contains no link, image or
HTML that a page or a model wrote. \`sources\` has the same list as data. \`confidence\` says how sure the reply is: \`high\`,
\`low\` (it may not answer the question, and its message says so), or null where there is no answer.

## Streams

A reply also comes as Server-Sent Events to a client that prefers \`text/event-stream\` in its \`Accept\` header; JSON is the
default. The data of each event is JSON: \`token\` (\`{text}\`) is the next part of the reply, as soon as it is checked,
\`sources\` is the list of all sources so far, before the first mark that needs it, and \`done\` has what JSON would have had
in \`data\`. All tokens together are the message without its list of sources. A comment every ten seconds keeps the connection
alive. A request that fails before the first event gets the JSON response and its status; later, the last event is \`error\`
(\`{message}\`). A reply is finished and stored even if its client is gone: repeat the request with the same
\`Idempotency-Key\`, as a stream or as JSON, to get the whole: in a stream \`sources\`, one \`token\`, and \`done\`.

## Requests

A body is a JSON object in UTF-8 of at most 1 MiB, with at most 10,000 values, 64 levels and 1,000 entries in an array.
\`null\` for an optional field means that it is absent; in a PATCH it clears the field. Unknown query parameters and fields
are ignored, but an update of a ticket or an email refuses unknown fields. Lengths are in code points. A body that an
operation does not take is ignored if it is such an object, and otherwise refused with 400, 413 or 415.

## Lists

Lists use keyset pagination: no item is repeated or skipped while others are added or removed. \`next_cursor\` is valid only
for its list, parent and filter, and never expires. A page of very large items may have fewer of them than \`limit\`, though
\`has_more\` is true. \`total\` includes every write that was answered. Only if a server process dies in the middle of a write
may it lack that write for some seconds, until another process has mended it.

## Retries

An \`Idempotency-Key\` on a POST (1 to 255 printable ASCII characters) makes it safe to retry for 24 hours: the same
request gets the same response with \`Idempotent-Replayed: true\`; a different request with the same key gets 409. Keys belong
to the account, but a response that shows a secret is repeated only to the API key that made the request; others get 409. A
retry waits while the first request is in progress; after twelve seconds it gets 409 with \`Retry-After\`.

## Visitors

What is below \`/public/v1\` is for browsers: no API key, but the page's origin must be among the \`allowed_domains\` of the
chatbot, or be the gateway itself (403). A conversation belongs to the visitor token that its first reply has, which goes into
the header \`X-Visitor-Token\`; one that is not ours or has expired is 401, that of another chatbot 404. CORS is allowed here
only, without credentials. Rates are limited by visitor, address, and chatbot and day: 429 with \`Retry-After\`. An
\`Idempotency-Key\` belongs to the visitor and the chatbot; that of a first message, which has no token, must have at least 22
random characters, since whoever repeats it gets the token.

## Limits

An account may have so many knowledge items, questions in FAQs, files, bytes of files, chunks, bytes of search indexes,
chats, tickets, emails and API keys (\`GET /usage\`). A request that would exceed one of them is refused with 403 and changes
nothing; the message names the limit, its setting and its figure. Deleting makes room at once, of the questions of a deleted
FAQ within seconds; the request then needs a new \`Idempotency-Key\`.

\`RateLimit-Policy\` and \`RateLimit\` report what the key (\`default\`) and its account (\`account\`) have left in this minute. A
client that waits \`t / r\` seconds after each answer, for the policy where that is longest, is not refused; others get 429 with
\`Retry-After\`. Several gateways count in batches: one of them may refuse a request while others
still hold up to \`min(100, q / 20)\` each, and together they never exceed a limit. While they can't count together, each of them
allows its share. Request bodies in flight share a memory budget. A request that exceeds
the share of its key gets 429, one that exceeds the total gets 503, both with \`Retry-After\`. An address with too many failed
authentications in a minute gets 429 with \`Retry-After\` instead of 401 for the rest of that minute; valid keys still work,
though one that the gateway has not seen lately may take a second or need another try while others are guessing.
`;
