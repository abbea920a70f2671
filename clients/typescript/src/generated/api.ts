/**
 * The types of the REST API, generated from its description: change the gateway's routes, then run `npm run client`.
 */
export interface paths {
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's API keys, newest first
         * Needs the scope `API_KEYS_WRITE`. `created_by` is the key that created a key, also after that was revoked; null if an operator did.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key with scopes of the calling key
         * Needs the scope `API_KEYS_WRITE`. `key` is random and shown only in this answer. A scope that the calling key lacks is 403. If the calling key expires,
         *     `expires_at` is required and must not be later. With `restricted: true` the key may do only what its scopes say: nothing is
         *     free but `GET /me`. A scope for writing includes reading the same; reading assistants needs any scope for that kind. Only such
         *     keys have the scopes `KNOWLEDGE_READ`, `KNOWLEDGE_WRITE`, `CHATS_READ`, `CHATS_REPLY`, `TICKETS_READ` and
         *     `EMAILS_READ`, which any other key may grant. A restricted key creates only restricted keys. With an `Idempotency-Key`, the calling key gets the same answer again for
         *     24 hours; every other key of the account gets 409.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all chatbots, newest first
         * A restricted key needs the scope `CHATBOTS_WRITE` or `CHATS_READ` or `CHATS_REPLY`.
         */
        get: operations["listChatbots"];
        put?: never;
        /**
         * Create a chatbot
         * Needs the scope `CHATBOTS_WRITE`. An account can have at most 1,000 of each kind; those with more than 1,500 bytes of text can have 2,400,000 bytes in total.
         */
        post: operations["createChatbot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email-inboxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all email inboxes, newest first
         * A restricted key needs the scope `EMAILINBOXES_WRITE` or `EMAILS_READ` or `EMAILS_WRITE`.
         */
        get: operations["listEmailInboxes"];
        put?: never;
        /**
         * Create an email inbox
         * Needs the scope `EMAILINBOXES_WRITE`. The aliases reply, postmaster, abuse, mailer-daemon and noreply are reserved. An account can have at most 1,000 of each kind; those with more than 1,500 bytes of text can have 2,400,000 bytes in total.
         */
        post: operations["createEmailInbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what has happened in the account, oldest first
         * Needs the scope `ACCOUNT_WRITE`. Every change is an event, kept for seven days. A reader that always goes on from `next_cursor` misses none and sees
         *     none twice. `number` has no gaps; those of one resource are in the order in which they happened.
         *
         *     As Server-Sent Events, for clients that prefer `text/event-stream`: `ready`, then each `event` as it happens. It begins with
         *     the next event, or after `next_cursor`, or after what the header `Last-Event-ID` says, which browsers send when they connect
         *     again. After a quarter of an hour the stream ends with `done`: connect again.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the knowledge items, newest first
         * A restricted key needs the scope `KNOWLEDGE_READ` or `KNOWLEDGE_WRITE`.
         */
        get: operations["listKnowledge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whose key this is, and what it may do */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/personas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the personas, newest first
         * Needs the scope `ACCOUNT_WRITE`. A persona is a name, and perhaps a picture, in which the owner replies to tickets and emails.
         */
        get: operations["listPersonas"];
        put?: never;
        /**
         * Create a persona
         * Needs the scope `ACCOUNT_WRITE`. At most 1,000 for an account.
         */
        post: operations["createPersona"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ticket-forms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all ticket forms, newest first
         * A restricted key needs the scope `TICKETFORMS_WRITE` or `TICKETS_READ` or `TICKETS_WRITE`.
         */
        get: operations["listTicketForms"];
        put?: never;
        /**
         * Create a ticket form
         * Needs the scope `TICKETFORMS_WRITE`. A form has at most 100 fields, and its fields at most 2,000 select values in total. An account can have at most 1,000 of each kind; those with more than 1,500 bytes of text can have 2,400,000 bytes in total.
         */
        post: operations["createTicketForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the account uses, with its limits
         * Needs the scope `ACCOUNT_WRITE`. What would exceed a limit without a window is refused with 403, in a sentence that names it. Once the model tokens of a day are spent, replies quote the best passages; once the embedding tokens are, trainings fail, and questions are searched by their words only.
         */
        get: operations["listUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks, newest first
         * Needs the scope `ACCOUNT_WRITE`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook: an address that is told what happens
         * Needs the scope `ACCOUNT_WRITE`. Events are posted to it as JSON from now on, signed as [Standard Webhooks](https://www.standardwebhooks.com) says, with
         *     the secret that only this response shows. The section "Webhooks" of the manual says how to receive them. The account may have as many
         *     as `QUOTA_WEBHOOKS` says.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-key/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key and the keys it created; they stop working within ten seconds
         * Needs the scope `API_KEYS_WRITE`. A key revokes itself and keys whose scopes it holds; 403 names a scope that it lacks. A restricted key revokes only
         *     restricted keys. The keys that the revoked key created, and those that these created, are revoked with it, and listed in
         *     `revoked`; with `keep_created=true` they stay. What is stored of a revoked key is removed after seven days.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbot/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a chatbot
         * A restricted key needs the scope `CHATBOTS_WRITE` or `CHATS_READ` or `CHATS_REPLY`.
         */
        get: operations["getChatbot"];
        put?: never;
        post?: never;
        /**
         * Delete a chatbot and its chats
         * Needs the scope `CHATBOTS_WRITE`. Answers with the chatbot as it was. Its knowledge stays.
         */
        delete: operations["deleteChatbot"];
        options?: never;
        head?: never;
        /**
         * Change the title, the allowed domains, the answers or the appearance of a chatbot
         * Needs the scope `CHATBOTS_WRITE`. Absent fields stay as they are; null brings back the default, but for the title.
         */
        patch: operations["updateChatbot"];
        trace?: never;
    };
    "/email-inbox/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an email inbox
         * A restricted key needs the scope `EMAILINBOXES_WRITE` or `EMAILS_READ` or `EMAILS_WRITE`.
         */
        get: operations["getEmailInbox"];
        put?: never;
        post?: never;
        /**
         * Delete an email inbox and its emails
         * Needs the scope `EMAILINBOXES_WRITE`. Answers with the inbox as it was. Its knowledge stays; its alias stays reserved for the account for 30 days.
         */
        delete: operations["deleteEmailInbox"];
        options?: never;
        head?: never;
        /**
         * Change the alias, the title, the description or the answers of an email inbox
         * Needs the scope `EMAILINBOXES_WRITE`. Absent fields stay as they are; null clears the description and brings back the default of a setting. A former alias stays reserved for the account for 30 days.
         */
        patch: operations["updateEmailInbox"];
        trace?: never;
    };
    "/knowledge/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a knowledge item
         * A restricted key needs the scope `KNOWLEDGE_READ` or `KNOWLEDGE_WRITE`.
         */
        get: operations["getKnowledge"];
        put?: never;
        post?: never;
        /**
         * Delete a knowledge item
         * A restricted key needs the scope `KNOWLEDGE_WRITE`.
         */
        delete: operations["deleteKnowledge"];
        options?: never;
        head?: never;
        /**
         * Change what is trained of a website or a video, and how often
         * A restricted key needs the scope `KNOWLEDGE_WRITE`. `include`, `exclude` and `retrain_every` are for websites, `title`, `language` and `transcript` for videos. A pattern
         *     is the beginning of a `page_url`, as in robots.txt: `*` stands for any characters, also `/`, and a `$` at its end for
         *     the end of the `page_url`. With `include`, only pages that match one of its patterns are read, trained and listed; pages
         *     that match one of `exclude` never are. The start page is read in any case, for its links. So `["/docs/"]` in `include` limits a website to that path; without patterns, a website is its whole origin,
         *     whatever path its address has. New patterns take effect with the next training. `retrain_every` counts from the end of a
         *     training, completed or failed, to the start of the next, and takes effect at once. A `transcript`, the text of an SRT or VTT
         *     file, is trained instead of YouTube's captions, which are not asked for any more: for videos that have none, or that YouTube
         *     does not show to this server. Fields that are absent stay; null clears.
         */
        patch: operations["updateKnowledge"];
        trace?: never;
    };
    "/knowledge/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a knowledge item of a document, whose file is uploaded next
         * A restricted key needs the scope `KNOWLEDGE_WRITE`. PUT the file to `upload_url` within 15 minutes, then finalize. A document that is not finalized within 24 hours is deleted.
         */
        post: operations["createDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/faq": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a knowledge item of questions and answers
         * A restricted key needs the scope `KNOWLEDGE_WRITE`.
         */
        post: operations["createFaq"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a knowledge item of a video
         * A restricted key needs the scope `KNOWLEDGE_WRITE`.
         */
        post: operations["createVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/website": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a knowledge item of a website
         * A restricted key needs the scope `KNOWLEDGE_WRITE`.
         */
        post: operations["createWebsite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/persona/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a persona; messages sent in its name keep the name
         * Needs the scope `ACCOUNT_WRITE`.
         */
        delete: operations["deletePersona"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ticket-form/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a ticket form
         * A restricted key needs the scope `TICKETFORMS_WRITE` or `TICKETS_READ` or `TICKETS_WRITE`.
         */
        get: operations["getTicketForm"];
        put?: never;
        post?: never;
        /**
         * Delete a ticket form and its tickets
         * Needs the scope `TICKETFORMS_WRITE`. Answers with the form as it was. Its knowledge stays.
         */
        delete: operations["deleteTicketForm"];
        options?: never;
        head?: never;
        /**
         * Change the title, the allowed domains, the fields or the answers of a ticket form
         * Needs the scope `TICKETFORMS_WRITE`. Absent fields stay as they are. `fields` replaces the whole list: a field with the id of an existing one keeps that
         *     id, a field without one is new, and existing fields that are not in the list are removed. null brings back the default, but for the title.
         */
        patch: operations["updateTicketForm"];
        trace?: never;
    };
    "/webhook/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a webhook and the record of its deliveries
         * Needs the scope `ACCOUNT_WRITE`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change the address or the events of a webhook, disable it or enable it again
         * Needs the scope `ACCOUNT_WRITE`. Absent fields stay as they are. What waits is sent to a new address at once. A webhook that is enabled again is told of
         *     what happens from then on; redeliver what it missed.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/chatbot/{id}/chats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the chats of a chatbot, newest first
         * A restricted key needs the scope `CHATS_READ`.
         */
        get: operations["listChats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbot/{id}/embed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the snippet that shows a chatbot on a page
         * A restricted key needs the scope `CHATBOTS_WRITE`.
         */
        get: operations["getEmbed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbot/{id}/identity-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the secret with which pages vouch for their users
         * Needs the scope `CHATBOTS_WRITE`. It is shown once, and replaces the one before at once.
         */
        post: operations["createIdentitySecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbot/{id}/knowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attached knowledge items, last attached first
         * A restricted key needs the scope `KNOWLEDGE_READ` or `KNOWLEDGE_WRITE`.
         */
        get: operations["listKnowledgeOfChatbot"];
        /**
         * Attach a trained knowledge item
         * A restricted key needs the scope `CHATBOTS_WRITE`.
         */
        put: operations["attachKnowledgeToChatbot"];
        post?: never;
        /**
         * Detach a knowledge item; the item itself stays
         * A restricted key needs the scope `CHATBOTS_WRITE`.
         */
        delete: operations["detachKnowledgeFromChatbot"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbot/{id}/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a chatbot, and get its reply
         * A restricted key needs the scope `CHATS_REPLY`. With `Accept: text/event-stream` the reply is streamed while it is written.
         */
        post: operations["askChatbot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email-inbox/{id}/emails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the emails of an inbox, newest first
         * A restricted key needs the scope `EMAILS_READ` or `EMAILS_WRITE`.
         */
        get: operations["listEmails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email-inbox/{id}/knowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attached knowledge items, last attached first
         * A restricted key needs the scope `KNOWLEDGE_READ` or `KNOWLEDGE_WRITE`.
         */
        get: operations["listKnowledgeOfEmailInbox"];
        /**
         * Attach a trained knowledge item
         * A restricted key needs the scope `EMAILINBOXES_WRITE`.
         */
        put: operations["attachKnowledgeToEmailInbox"];
        post?: never;
        /**
         * Detach a knowledge item; the item itself stays
         * A restricted key needs the scope `EMAILINBOXES_WRITE`.
         */
        delete: operations["detachKnowledgeFromEmailInbox"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/{id}/faq-item": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a question and its answer to an FAQ
         * A restricted key needs the scope `KNOWLEDGE_WRITE`. It is found once the FAQ has been trained again, which embeds only what was added.
         */
        post: operations["createFaqItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/{id}/faq-items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the questions of an FAQ, newest first
         * A restricted key needs the scope `KNOWLEDGE_READ` or `KNOWLEDGE_WRITE`.
         */
        get: operations["listFaqItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the file of a finalized document
         * A restricted key needs the scope `KNOWLEDGE_READ` or `KNOWLEDGE_WRITE`.
         */
        get: operations["getDocumentFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/{id}/finalize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finish a document after its upload
         * A restricted key needs the scope `KNOWLEDGE_WRITE`. Checks that the file is what its type says. Idempotent.
         */
        get: operations["finalizeDocumentByGet"];
        put?: never;
        /**
         * Finish a document after its upload
         * A restricted key needs the scope `KNOWLEDGE_WRITE`. Checks that the file is what its type says. Idempotent.
         */
        post: operations["finalizeDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/{id}/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a knowledge item of any type was trained from, with its outcome
         * A restricted key needs the scope `KNOWLEDGE_READ` or `KNOWLEDGE_WRITE`. Of the latest training; while one is running, what it has read so far. Pages by `page_url`, parts of a document
         *     in their order, items of an FAQ newest first. What changed in an FAQ since is listed after the next training.
         */
        get: operations["listSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/{id}/sub-pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pages of a website, by page_url
         * A restricted key needs the scope `KNOWLEDGE_READ` or `KNOWLEDGE_WRITE`.
         */
        get: operations["listSubPages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/{id}/train": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Start the training of a knowledge item
         * A restricted key needs the scope `KNOWLEDGE_WRITE`.
         */
        put: operations["trainKnowledge"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/{id}/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload the file of a document
         * The `upload_url` of a new document leads here. It needs no API key, and any or no Content-Type. May be repeated until the document is finalized; the last complete upload counts.
         */
        put: operations["uploadDocument"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ticket-form/{id}/knowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attached knowledge items, last attached first
         * A restricted key needs the scope `KNOWLEDGE_READ` or `KNOWLEDGE_WRITE`.
         */
        get: operations["listKnowledgeOfTicketForm"];
        /**
         * Attach a trained knowledge item
         * A restricted key needs the scope `TICKETFORMS_WRITE`.
         */
        put: operations["attachKnowledgeToTicketForm"];
        post?: never;
        /**
         * Detach a knowledge item; the item itself stays
         * A restricted key needs the scope `TICKETFORMS_WRITE`.
         */
        delete: operations["detachKnowledgeFromTicketForm"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ticket-form/{id}/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tickets of a form, newest first
         * A restricted key needs the scope `TICKETS_READ` or `TICKETS_WRITE`.
         */
        get: operations["listTickets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was delivered to a webhook, or failed, newest first
         * Needs the scope `ACCOUNT_WRITE`. Kept for seven days, and the newest 5,000 at least.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver everything again since a time, in order, before what comes next
         * Needs the scope `ACCOUNT_WRITE`. Also what was accepted: the `webhook-id` of an event stays the same, so that receivers can tell. As far back as events
         *     are kept. 400 if the webhook is disabled.
         */
        post: operations["redeliverEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook a new secret; the old one signs beside it for a day
         * Needs the scope `ACCOUNT_WRITE`.
         */
        post: operations["renewWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook an event `webhook.test` now, and say what became of it
         * Needs the scope `ACCOUNT_WRITE`. Its `data` is `{"webhook_id": …}`. Also if the webhook is disabled, and whatever it subscribes to. It is tried once, and in no list of events.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbot/{id}/chats/{chat_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a chat and its conversation
         * A restricted key needs the scope `CHATS_READ`.
         */
        get: operations["getChat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email-inbox/{id}/emails/{email_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an email and its conversation
         * A restricted key needs the scope `EMAILS_READ` or `EMAILS_WRITE`.
         */
        get: operations["getEmail"];
        /**
         * Change the status or the priority of an email
         * Needs the scope `EMAILS_WRITE`. Any other field is refused. A status that is set here stops the AI from replying.
         */
        put: operations["updateEmail"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/{id}/faq-item/{faq_item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a question of an FAQ
         * A restricted key needs the scope `KNOWLEDGE_WRITE`. It is no longer found once the FAQ has been trained again, which embeds nothing.
         */
        delete: operations["deleteFaqItem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ticket-form/{id}/tickets/{ticket_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a ticket and its conversation
         * A restricted key needs the scope `TICKETS_READ` or `TICKETS_WRITE`.
         */
        get: operations["getTicket"];
        /**
         * Change the status or the priority of a ticket
         * Needs the scope `TICKETS_WRITE`. Any other field is refused. A status that is set here stops the AI from replying.
         */
        put: operations["updateTicket"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbot/{id}/chats/{chat_id}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Block the end user behind a chat
         * Needs the scope `CHATBOTS_WRITE`. Blocking again succeeds.
         */
        put: operations["blockChat"];
        post?: never;
        /**
         * Lift the block of the end user behind a chat
         * Needs the scope `CHATBOTS_WRITE`. Succeeds if there is none.
         */
        delete: operations["unblockChat"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbot/{id}/chats/{chat_id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what each AI reply in a chat rested on, newest first
         * A restricted key needs the scope `CHATS_READ`.
         */
        get: operations["listChatEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email-inbox/{id}/emails/{email_id}/ai": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Hand an email to the AI, or take it away
         * Needs the scope `EMAILS_WRITE`. On: the AI answers the newest message if nobody has, and those to come. Off: it stays out, as after a reply of the owner.
         */
        put: operations["setEmailAi"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email-inbox/{id}/emails/{email_id}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Block the end user behind an email
         * Needs the scope `EMAILINBOXES_WRITE`. Blocking again succeeds.
         */
        put: operations["blockEmail"];
        post?: never;
        /**
         * Lift the block of the end user behind an email
         * Needs the scope `EMAILINBOXES_WRITE`. Succeeds if there is none.
         */
        delete: operations["unblockEmail"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email-inbox/{id}/emails/{email_id}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the draft of an answer in an email
         * Needs the scope `EMAILS_WRITE`. 404 if there is none: the AI has not answered yet, could not, or a person was faster.
         */
        get: operations["getEmailDraft"];
        /**
         * Replace the text of the draft in an email
         * Needs the scope `EMAILS_WRITE`. Its sources go, since they need not fit any more. A draft that was changed is sent in the name of the owner.
         */
        put: operations["changeEmailDraft"];
        post?: never;
        /**
         * Discard the draft in an email
         * Needs the scope `EMAILS_WRITE`. Succeeds if there is none.
         */
        delete: operations["discardEmailDraft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email-inbox/{id}/emails/{email_id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what each AI reply in an email rested on, newest first
         * A restricted key needs the scope `EMAILS_READ` or `EMAILS_WRITE`.
         */
        get: operations["listEmailEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email-inbox/{id}/emails/{email_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of status and priority of an email, newest first
         * A restricted key needs the scope `EMAILS_READ` or `EMAILS_WRITE`.
         */
        get: operations["listEmailChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email-inbox/{id}/emails/{email_id}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a message of an email as it was received by mail
         * A restricted key needs the scope `EMAILS_READ` or `EMAILS_WRITE`.
         */
        get: operations["getRawEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email-inbox/{id}/emails/{email_id}/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reply to an email as the owner
         * Needs the scope `EMAILS_WRITE`. From then on the AI stays out of the conversation.
         */
        post: operations["replyToEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ticket-form/{id}/tickets/{ticket_id}/ai": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Hand a ticket to the AI, or take it away
         * Needs the scope `TICKETS_WRITE`. On: the AI answers the newest message if nobody has, and those to come. Off: it stays out, as after a reply of the owner.
         */
        put: operations["setTicketAi"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ticket-form/{id}/tickets/{ticket_id}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Block the end user behind a ticket
         * Needs the scope `TICKETFORMS_WRITE`. Blocking again succeeds.
         */
        put: operations["blockTicket"];
        post?: never;
        /**
         * Lift the block of the end user behind a ticket
         * Needs the scope `TICKETFORMS_WRITE`. Succeeds if there is none.
         */
        delete: operations["unblockTicket"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ticket-form/{id}/tickets/{ticket_id}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the draft of an answer in a ticket
         * Needs the scope `TICKETS_WRITE`. 404 if there is none: the AI has not answered yet, could not, or a person was faster.
         */
        get: operations["getTicketDraft"];
        /**
         * Replace the text of the draft in a ticket
         * Needs the scope `TICKETS_WRITE`. Its sources go, since they need not fit any more. A draft that was changed is sent in the name of the owner.
         */
        put: operations["changeTicketDraft"];
        post?: never;
        /**
         * Discard the draft in a ticket
         * Needs the scope `TICKETS_WRITE`. Succeeds if there is none.
         */
        delete: operations["discardTicketDraft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ticket-form/{id}/tickets/{ticket_id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what each AI reply in a ticket rested on, newest first
         * A restricted key needs the scope `TICKETS_READ` or `TICKETS_WRITE`.
         */
        get: operations["listTicketEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ticket-form/{id}/tickets/{ticket_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of status and priority of a ticket, newest first
         * A restricted key needs the scope `TICKETS_READ` or `TICKETS_WRITE`.
         */
        get: operations["listTicketChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ticket-form/{id}/tickets/{ticket_id}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End the links by which the person behind a ticket reads it
         * Needs the scope `TICKETS_WRITE`. The next mail to them has a new one.
         */
        delete: operations["revokeTicketLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ticket-form/{id}/tickets/{ticket_id}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a message of a ticket as it was received by mail
         * A restricted key needs the scope `TICKETS_READ` or `TICKETS_WRITE`.
         */
        get: operations["getRawTicketMail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ticket-form/{id}/tickets/{ticket_id}/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reply to a ticket as the owner, or as one of their personas
         * Needs the scope `TICKETS_WRITE`. From then on the AI stays out of the conversation.
         */
        post: operations["replyToTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/{id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver one event again now, and say what became of it
         * Needs the scope `ACCOUNT_WRITE`. Also if the webhook is disabled. It is tried once. 400 if the event is not kept any more, or was a test.
         */
        post: operations["redeliverEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email-inbox/{id}/emails/{email_id}/attachments/{attachment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an attachment of an email
         * A restricted key needs the scope `EMAILS_READ` or `EMAILS_WRITE`.
         */
        get: operations["getEmailAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email-inbox/{id}/emails/{email_id}/draft/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the draft in an email
         * Needs the scope `EMAILS_WRITE`. The AI may answer the next message.
         */
        post: operations["sendEmailDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ticket-form/{id}/tickets/{ticket_id}/attachments/{attachment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an attachment of a ticket
         * A restricted key needs the scope `TICKETS_READ` or `TICKETS_WRITE`.
         */
        get: operations["getTicketAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ticket-form/{id}/tickets/{ticket_id}/draft/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the draft in a ticket
         * Needs the scope `TICKETS_WRITE`. The AI may answer the next message.
         */
        post: operations["sendTicketDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
/** @enum {string} */
export type AiReply = "auto" | "draft" | "off";
/** @enum {string} */
export type AiState = "pending" | "answered" | "draft" | "held" | "off";
/**
 * @example {
 *       "type": "answer.failed",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "kind": "ticket",
 *         "conversation_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "assistant_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f",
 *         "in_reply_to": "1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d"
 *       }
 *     }
 */
export interface AnswerFailedEvent {
    /** @constant */
    type: "answer.failed";
    /** Format: date-time */
    timestamp: string;
    data: {
        /**
         * What `conversation_id` is the id of.
         * @enum {string}
         */
        kind: "chat" | "ticket" | "email";
        /** Format: uuid */
        conversation_id: string;
        /**
         * Format: uuid
         * The chatbot, ticket form or email inbox.
         */
        assistant_id: string;
        /** Format: uuid */
        in_reply_to: string;
    };
}
/**
 * @example {
 *       "type": "answer.given",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "kind": "chat",
 *         "conversation_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "assistant_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f",
 *         "message_id": "b7c9d2e1-5f4a-4c3b-9d8e-7f6a5b4c3d2e",
 *         "in_reply_to": "1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d",
 *         "confidence": "high"
 *       }
 *     }
 */
export interface AnswerGivenEvent {
    /** @constant */
    type: "answer.given";
    /** Format: date-time */
    timestamp: string;
    data: {
        /**
         * What `conversation_id` is the id of.
         * @enum {string}
         */
        kind: "chat" | "ticket" | "email";
        /** Format: uuid */
        conversation_id: string;
        /**
         * Format: uuid
         * The chatbot, ticket form or email inbox.
         */
        assistant_id: string;
        /** Format: uuid */
        message_id: string;
        /**
         * Format: uuid
         * The message it answers.
         */
        in_reply_to: string;
        /**
         * How sure the assistant is.
         * @enum {string}
         */
        confidence: "high" | "low";
    };
}
/**
 * @example {
 *       "type": "answer.not_found",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "kind": "chat",
 *         "conversation_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "assistant_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f",
 *         "in_reply_to": "1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d"
 *       }
 *     }
 */
export interface AnswerNotFoundEvent {
    /** @constant */
    type: "answer.not_found";
    /** Format: date-time */
    timestamp: string;
    data: {
        /**
         * What `conversation_id` is the id of.
         * @enum {string}
         */
        kind: "chat" | "ticket" | "email";
        /** Format: uuid */
        conversation_id: string;
        /**
         * Format: uuid
         * The chatbot, ticket form or email inbox.
         */
        assistant_id: string;
        /** Format: uuid */
        in_reply_to: string;
    };
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "name": "Deployment",
 *       "scopes": [
 *         "CHATBOTS_WRITE"
 *       ],
 *       "restricted": false,
 *       "created_at": "2026-03-01T09:30:00.000Z",
 *       "expires_at": null,
 *       "last_used_at": "2026-03-02T14:05:00.000Z",
 *       "created_by": null
 *     }
 */
export interface ApiKey {
    id: string;
    name: string;
    scopes: Scope[];
    /** It may do only what its scopes say. */
    restricted: boolean;
    /** Format: date-time */
    created_at: string;
    /** Null: never. */
    expires_at: string | null;
    /** To the minute. */
    last_used_at: string | null;
    /** The key that created it, which may be revoked by now; null if none did. */
    created_by: {
        id: string;
        name: string;
    } | null;
}
/**
 * @example {
 *       "items": [
 *         {
 *           "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *           "name": "Deployment",
 *           "scopes": [
 *             "CHATBOTS_WRITE"
 *           ],
 *           "restricted": false,
 *           "created_at": "2026-03-01T09:30:00.000Z",
 *           "expires_at": null,
 *           "last_used_at": "2026-03-02T14:05:00.000Z",
 *           "created_by": null
 *         }
 *       ],
 *       "total": 1,
 *       "has_more": false
 *     }
 */
export interface ApiKeyPage {
    items: ApiKey[];
    /** The number of items that match the filter. */
    total: number;
    has_more: boolean;
    /** Present when has_more is true. */
    next_cursor?: string;
}
/**
 * @example {
 *       "message": "When are you open?"
 *     }
 */
export interface AskChatbotRequest {
    message: string;
    /** Of an earlier reply, to continue that conversation. */
    session_id?: string | null;
}
/**
 * @example {
 *       "type": "assistant.changed",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "assistant_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f",
 *         "kind": "chatbot"
 *       }
 *     }
 */
export interface AssistantChangedEvent {
    /** @constant */
    type: "assistant.changed";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** Format: uuid */
        assistant_id: string;
        /** @enum {string} */
        kind: "chatbot" | "ticket_form" | "email_inbox";
    };
}
/**
 * @example {
 *       "type": "assistant.created",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "assistant_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f",
 *         "kind": "chatbot"
 *       }
 *     }
 */
export interface AssistantCreatedEvent {
    /** @constant */
    type: "assistant.created";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** Format: uuid */
        assistant_id: string;
        /** @enum {string} */
        kind: "chatbot" | "ticket_form" | "email_inbox";
    };
}
/**
 * @example {
 *       "type": "assistant.deleted",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "assistant_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f",
 *         "kind": "chatbot"
 *       }
 *     }
 */
export interface AssistantDeletedEvent {
    /** @constant */
    type: "assistant.deleted";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** Format: uuid */
        assistant_id: string;
        /** @enum {string} */
        kind: "chatbot" | "ticket_form" | "email_inbox";
    };
}
export interface Attachment {
    id: string;
    name: string;
    /** A media type, as the sender gave it. */
    type: string;
    /** In bytes. */
    size: number;
    /** Shown in the message, as an image. */
    inline: boolean;
}
/**
 * @example {
 *       "items": [
 *         {
 *           "target": "01890a5d-ac96-474b-8cce-b302099a8057",
 *           "targetType": "CHAT",
 *           "status": "ACTIVE"
 *         }
 *       ],
 *       "failed": []
 *     }
 */
export interface BlockResult {
    items: {
        /** The id of the chat, ticket or email. */
        target: string;
        /** @enum {string} */
        targetType: "CHAT" | "TICKET" | "EMAIL";
        /**
         * `LIFTED` after lifting a block.
         * @enum {string}
         */
        status: "ACTIVE" | "LIFTED";
    }[];
    /** Always empty: a block that fails is an error. */
    failed: unknown[];
}
/**
 * @example {
 *       "role": "user",
 *       "message": "When are you open?"
 *     }
 */
export interface CaseMessage {
    /**
     * `user` is the end user, `assistant` the AI or the owner.
     * @enum {string}
     */
    role: "user" | "assistant";
    message: string;
    /** Present on what is sent by mail. */
    delivery?: Delivery;
    /** Present on what came by mail. */
    mail?: ReceivedMail;
    /** Present on what came by a form with files. */
    attachments?: Attachment[];
}
/**
 * @example {
 *       "at": "2026-03-01T09:31:12.000Z",
 *       "by": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "field": "status",
 *       "from": "open",
 *       "to": "resolved"
 *     }
 */
export interface Change {
    /** Format: date-time */
    at: string;
    /** The id of the API key that made the change; `user` if a message of the end user reopened it. */
    by: string;
    /** `status` or `priority`. */
    field: string;
    from: string;
    to: string;
}
/**
 * @example {
 *       "message": "Please send us the lamp."
 *     }
 */
export interface ChangeEmailDraftRequest {
    message: string;
}
/**
 * @example {
 *       "items": [
 *         {
 *           "at": "2026-03-01T09:31:12.000Z",
 *           "by": "01890a5d-ac96-474b-8cce-b302099a8057",
 *           "field": "status",
 *           "from": "open",
 *           "to": "resolved"
 *         }
 *       ],
 *       "total": 1,
 *       "has_more": false
 *     }
 */
export interface ChangePage {
    items: Change[];
    /** The number of items that match the filter. */
    total: number;
    has_more: boolean;
    /** Present when has_more is true. */
    next_cursor?: string;
}
/**
 * @example {
 *       "message": "Please send us the lamp."
 *     }
 */
export interface ChangeTicketDraftRequest {
    message: string;
}
export interface ChangedFormField {
    /** The question text. */
    name: string;
    /** @enum {string} */
    type: "TEXT" | "LONG_TEXT" | "EMAIL" | "NUMBER" | "SELECT" | "MULTI_SELECT" | "CHECKBOX" | "DATE";
    /** False by default. */
    required?: boolean | null;
    /** Required on SELECT and MULTI_SELECT fields, absent on others. */
    defaultSelectValues?: NewSelectValue[] | null;
    /** Of an existing field, which keeps it. Absent: a new field. */
    id?: string | null;
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "session_id": "01890a5d-b1c2-4e1f-9d3a-5b6c7d8e9f01",
 *       "created_at": "2026-03-01T09:30:00.000Z",
 *       "updated_at": "2026-03-01T09:31:12.000Z",
 *       "visitor": null,
 *       "votes": []
 *     }
 */
export interface Chat {
    id: string;
    /** Continues the conversation when a reply is asked for with it. */
    session_id: string;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    /** Null if an API key began it. */
    visitor: Visitor | null;
    /** The visitor's, the latest last. */
    votes: {
        message_id: string;
        vote: VoteKind;
        reason: string | null;
        /** Format: date-time */
        at: string;
    }[];
}
/**
 * @example {
 *       "type": "chat.begun",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "chat_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "chatbot_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f"
 *       }
 *     }
 */
export interface ChatBegunEvent {
    /** @constant */
    type: "chat.begun";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** Format: uuid */
        chat_id: string;
        /** Format: uuid */
        chatbot_id: string;
    };
}
/**
 * @example {
 *       "items": [
 *         {
 *           "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *           "session_id": "01890a5d-b1c2-4e1f-9d3a-5b6c7d8e9f01",
 *           "created_at": "2026-03-01T09:30:00.000Z",
 *           "updated_at": "2026-03-01T09:31:12.000Z",
 *           "visitor": null,
 *           "votes": []
 *         }
 *       ],
 *       "total": 1,
 *       "has_more": false
 *     }
 */
export interface ChatPage {
    items: Chat[];
    /** The number of items that match the filter. */
    total: number;
    has_more: boolean;
    /** Present when has_more is true. */
    next_cursor?: string;
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "session_id": "01890a5d-b1c2-4e1f-9d3a-5b6c7d8e9f01",
 *       "created_at": "2026-03-01T09:30:00.000Z",
 *       "updated_at": "2026-03-01T09:31:12.000Z",
 *       "visitor": null,
 *       "votes": [],
 *       "conversation": [
 *         {
 *           "role": "user",
 *           "message": "When are you open?"
 *         },
 *         {
 *           "role": "assistant",
 *           "message": "From nine to five. [1]\n\nSources:\n[1] Opening hours"
 *         }
 *       ]
 *     }
 */
export interface ChatWithConversation {
    id: string;
    /** Continues the conversation when a reply is asked for with it. */
    session_id: string;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    /** Null if an API key began it. */
    visitor: Visitor | null;
    /** The visitor's, the latest last. */
    votes: {
        message_id: string;
        vote: VoteKind;
        reason: string | null;
        /** Format: date-time */
        at: string;
    }[];
    conversation: Message[];
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "public_id": "R7ne6P7zrruV",
 *       "title": "Help",
 *       "allowed_domains": [
 *         "www.example.com",
 *         "localhost:3000"
 *       ]
 *     }
 */
export interface Chatbot {
    id: string;
    /** Short and URL-safe; names the chatbot in paths as its id does. */
    public_id: string;
    title: string;
    /** Hosts of the pages that may embed it. */
    allowed_domains: string[];
    /** What it says to a greeting. Null: a greeting in the language of the visitor. Present once a PATCH has set any of `greeting`, `tone`, `no_evidence_message`, `low_confidence_message` and `faq_first`. */
    greeting?: string | null;
    /** How its answers should sound, such as `friendly and brief`. Only used with a model. Present once a PATCH has set any of `greeting`, `tone`, `no_evidence_message`, `low_confidence_message` and `faq_first`. */
    tone?: string | null;
    /** What it says if its knowledge has no answer. Null: a sentence that says so, in the language of the question. Present once a PATCH has set any of `greeting`, `tone`, `no_evidence_message`, `low_confidence_message` and `faq_first`. */
    no_evidence_message?: string | null;
    /** What it says before a quote that may not answer the question. Null: a sentence that says so, in the language of the question. Present once a PATCH has set any of `greeting`, `tone`, `no_evidence_message`, `low_confidence_message` and `faq_first`. */
    low_confidence_message?: string | null;
    /** Answer from FAQ items alone if they have an answer, and from other knowledge only if they have none. Present once a PATCH has set any of `greeting`, `tone`, `no_evidence_message`, `low_confidence_message` and `faq_first`. */
    faq_first?: boolean;
    /** Questions that visitors can begin with. Present once any of the fields for visitors was set. */
    suggestions?: string[];
    /** The colour of its launcher, as #rrggbb. Present once any of the fields for visitors was set. */
    colour?: string | null;
    /** The ticket form that leads to a person. Present once any of the fields for visitors was set. */
    ticket_form_id?: string | null;
    /** How many messages all of its visitors together may send in a day (UTC). Null: the installation's default. Present once any of the fields for visitors was set. */
    visitor_messages_per_day?: number | null;
}
/** @enum {string} */
export type Confidence = "low" | "high";
/**
 * @example {
 *       "name": "Web shop",
 *       "scopes": [
 *         "CHATS_REPLY"
 *       ],
 *       "restricted": true,
 *       "expires_at": "2027-01-01T00:00:00Z"
 *     }
 */
export interface CreateApiKeyRequest {
    name: string;
    scopes: Scope[];
    restricted?: boolean | null;
    expires_at?: string | null;
}
/**
 * @example {
 *       "title": "Help",
 *       "allowed_domains": [
 *         "www.example.com"
 *       ]
 *     }
 */
export interface CreateChatbotRequest {
    title: string;
    allowed_domains?: string[] | null;
    /** What it says to a greeting. Null: a greeting in the language of the visitor. */
    greeting?: string | null;
    /** Questions that visitors can begin with. */
    suggestions?: string[] | null;
    /** The colour of its launcher, as #rrggbb. */
    colour?: string | null;
    /** The ticket form that leads to a person. */
    ticket_form_id?: string | null;
    /** How many messages all of its visitors together may send in a day (UTC). Null: the installation's default. */
    visitor_messages_per_day?: number | null;
}
/**
 * @example {
 *       "file_type": "application/pdf",
 *       "file_name": "handbook.pdf"
 *     }
 */
export interface CreateDocumentRequest {
    /** @enum {string} */
    file_type: "application/pdf" | "application/msword" | "text/plain" | "text/csv";
    file_name?: string | null;
}
/**
 * @example {
 *       "alias": "support",
 *       "title": "Support"
 *     }
 */
export interface CreateEmailInboxRequest {
    /** The local part of its address; lower-cased, unique over all accounts. */
    alias: string;
    title: string;
    description?: string | null;
    /** What becomes of the answers of the AI: `auto` sends those that it is sure of to senders who are authenticated, and makes drafts of the others; `draft` makes drafts of all; `off`: it does not answer. `draft` by default. */
    ai_reply?: AiReply | null;
    /** Addresses that get a mail for new conversations, and for those that wait for a person; each at most one an hour. */
    notify?: string[] | null;
}
/**
 * @example {
 *       "question": "When are you open?",
 *       "answer": "From nine to five.",
 *       "categories": [
 *         "Opening hours"
 *       ]
 *     }
 */
export interface CreateFaqItemRequest {
    question: string;
    answer: string;
    source_url?: string | null;
    /** At most 20 different names. */
    categories?: string[] | null;
}
/**
 * @example {
 *       "title": "Opening hours",
 *       "description": "When the shops are open."
 *     }
 */
export interface CreateFaqRequest {
    title: string;
    description?: string | null;
}
/**
 * @example {
 *       "name": "Ada",
 *       "image_url": "https://www.example.com/ada.png"
 *     }
 */
export interface CreatePersonaRequest {
    name: string;
    image_url?: string | null;
}
/**
 * @example {
 *       "title": "Repairs",
 *       "fields": [
 *         {
 *           "name": "What is broken?",
 *           "type": "LONG_TEXT",
 *           "required": true
 *         }
 *       ]
 *     }
 */
export interface CreateTicketFormRequest {
    title: string;
    allowed_domains?: string[] | null;
    fields?: NewFormField[] | null;
    /** What becomes of the answers of the AI: `auto` sends those that it is sure of to senders who are authenticated, and makes drafts of the others; `draft` makes drafts of all; `off`: it does not answer. `draft` by default. */
    ai_reply?: AiReply | null;
    /** Addresses that get a mail for new conversations, and for those that wait for a person; each at most one an hour. */
    notify?: string[] | null;
}
/**
 * @example {
 *       "video_url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
 *       "video_type": "YOUTUBE"
 *     }
 */
export interface CreateVideoRequest {
    /**
     * Format: uri
     * A link to a YouTube video, of any form.
     */
    video_url: string;
    /** @enum {string} */
    video_type: "YOUTUBE";
}
/**
 * @example {
 *       "url": "https://www.example.com/parley",
 *       "events": [
 *         "ticket.opened",
 *         "email.opened"
 *       ]
 *     }
 */
export interface CreateWebhookRequest {
    /**
     * Format: uri
     * http or https; a private address is refused.
     */
    url: string;
    /** Names of events, which are under `webhooks` in this description; `*` is all, also those to come. */
    events: ("*" | "chat.begun" | "ticket.opened" | "email.opened" | "message.received" | "message.written" | "answer.given" | "answer.not_found" | "answer.failed" | "message.voted" | "visitor.identified" | "draft.made" | "mail.sent" | "mail.failed" | "status.changed" | "priority.changed" | "user.blocked" | "user.unblocked" | "training.queued" | "training.finished" | "training.failed" | "knowledge.created" | "knowledge.changed" | "knowledge.deleted" | "assistant.created" | "assistant.changed" | "assistant.deleted" | "key.created" | "key.revoked" | "quota.near" | "quota.reached" | "webhook.disabled")[];
    /** True by default. */
    enabled?: boolean | null;
}
/**
 * @example {
 *       "website_url": "https://www.example.com/"
 *     }
 */
export interface CreateWebsiteRequest {
    /** Format: uri */
    website_url: string;
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "name": "Deployment",
 *       "scopes": [
 *         "CHATBOTS_WRITE"
 *       ],
 *       "restricted": false,
 *       "created_at": "2026-03-01T09:30:00.000Z",
 *       "expires_at": null,
 *       "last_used_at": null,
 *       "created_by": null,
 *       "key": "parley_0aZ9…"
 *     }
 */
export interface CreatedApiKey {
    id: string;
    name: string;
    scopes: Scope[];
    /** It may do only what its scopes say. */
    restricted: boolean;
    /** Format: date-time */
    created_at: string;
    /** Null: never. */
    expires_at: string | null;
    /** To the minute. */
    last_used_at: string | null;
    /** The key that created it, which may be revoked by now; null if none did. */
    created_by: {
        id: string;
        name: string;
    } | null;
    /** The key itself; shown only this once. */
    key: string;
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "upload_url": "https://parley.example.com/v1/knowledge/01890a5d-ac96-474b-8cce-b302099a8057/upload?account=A&expires=1772358300&signature=S"
 *     }
 */
export interface CreatedDocument {
    id: string;
    /**
     * Format: uri
     * Where to PUT the file, as it is: signed, and valid for 15 minutes.
     */
    upload_url: string;
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "question": "When are you open?",
 *       "answer": {
 *         "version": "2.31.0",
 *         "time": 1772357400000,
 *         "blocks": [
 *           {
 *             "id": "k3v9x2p1qa",
 *             "type": "paragraph",
 *             "data": {
 *               "text": "From nine to five."
 *             }
 *           }
 *         ]
 *       },
 *       "categories": [
 *         "Opening hours"
 *       ],
 *       "source_url": "https://www.example.com/hours",
 *       "rating": {
 *         "upvotes": 0,
 *         "downvotes": 0
 *       }
 *     }
 */
export interface CreatedFaqItem {
    id: string;
    question: string;
    answer: FaqAnswer;
    categories: string[];
    source_url: string | null;
    rating: {
        upvotes: number;
        downvotes: number;
    };
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "type": "video",
 *       "video_id": "dQw4w9WgXcQ",
 *       "video_url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
 *       "video_type": "YOUTUBE"
 *     }
 */
export interface CreatedVideo {
    id: string;
    /** @constant */
    type: "video";
    /** Videos: YouTube's id. */
    video_id: string;
    /** Videos: the link as it was sent. */
    video_url: string;
    /**
     * Videos.
     * @constant
     */
    video_type: "YOUTUBE";
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "question": "When are you open?",
 *       "answer": {
 *         "version": "2.31.0",
 *         "time": 1772357400000,
 *         "blocks": [
 *           {
 *             "id": "k3v9x2p1qa",
 *             "type": "paragraph",
 *             "data": {
 *               "text": "From nine to five."
 *             }
 *           }
 *         ]
 *       },
 *       "categories": [
 *         "Opening hours"
 *       ],
 *       "rating": {
 *         "upvotes": 0,
 *         "downvotes": 0
 *       }
 *     }
 */
export interface DeletedFaqItem {
    id: string;
    question: string;
    answer: FaqAnswer;
    categories: string[];
    rating: {
        upvotes: number;
        downvotes: number;
    };
}
export interface Delivery {
    state: DeliveryState;
    /** Why it failed, or was postponed. */
    reason: string | null;
    /** Format: date-time */
    at: string;
}
/** @enum {string} */
export type DeliveryState = "queued" | "sent" | "failed";
/**
 * @example {
 *       "message": "Send it to us; repairs are free for two years. [1]\n\nSources:\n[1] Repairs",
 *       "confidence": "low",
 *       "sources": [
 *         {
 *           "n": 1,
 *           "title": "Repairs",
 *           "url": "https://www.example.com/repairs"
 *         }
 *       ],
 *       "created_at": "2026-03-01T09:31:12.000Z"
 *     }
 */
export interface Draft {
    /** With citation marks [n] and a closing list of sources, until it is changed. */
    message: string;
    /** How sure the answer is: `high`, `low` (the message says that it is unsure), or null if there is no answer. */
    confidence: Confidence | null;
    sources: Source[];
    /** Format: date-time */
    created_at: string;
}
/**
 * @example {
 *       "type": "draft.made",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "kind": "ticket",
 *         "conversation_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "assistant_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f",
 *         "in_reply_to": "1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d",
 *         "confidence": "low"
 *       }
 *     }
 */
export interface DraftMadeEvent {
    /** @constant */
    type: "draft.made";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** @enum {string} */
        kind: "ticket" | "email";
        /** Format: uuid */
        conversation_id: string;
        /**
         * Format: uuid
         * The chatbot, ticket form or email inbox.
         */
        assistant_id: string;
        /** Format: uuid */
        in_reply_to: string;
        /**
         * How sure the assistant is.
         * @enum {string}
         */
        confidence: "high" | "low";
    };
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "subject": "My lamp",
 *       "from_email": "sam@example.com",
 *       "status": "open",
 *       "priority": "medium",
 *       "ai": "answered",
 *       "created_at": "2026-03-01T09:30:00.000Z",
 *       "updated_at": "2026-03-01T09:31:12.000Z"
 *     }
 */
export interface Email {
    id: string;
    subject: string;
    /** The sender's address. */
    from_email: string;
    status: Status;
    priority: Priority;
    /** What the AI does about the newest message. */
    ai: AiState;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "alias": "support",
 *       "title": "Support"
 *     }
 */
export interface EmailInbox {
    id: string;
    /** The local part of its address; names the inbox in paths as its id does. */
    alias: string;
    title: string;
    /** Present on inboxes that have one. */
    description?: string;
    /** What it says to a greeting. Null: a greeting in the language of the visitor. Present once a PATCH has set any of `greeting`, `tone`, `no_evidence_message`, `low_confidence_message` and `faq_first`. */
    greeting?: string | null;
    /** How its answers should sound, such as `friendly and brief`. Only used with a model. Present once a PATCH has set any of `greeting`, `tone`, `no_evidence_message`, `low_confidence_message` and `faq_first`. */
    tone?: string | null;
    /** What it says if its knowledge has no answer. Null: a sentence that says so, in the language of the question. Present once a PATCH has set any of `greeting`, `tone`, `no_evidence_message`, `low_confidence_message` and `faq_first`. */
    no_evidence_message?: string | null;
    /** What it says before a quote that may not answer the question. Null: a sentence that says so, in the language of the question. Present once a PATCH has set any of `greeting`, `tone`, `no_evidence_message`, `low_confidence_message` and `faq_first`. */
    low_confidence_message?: string | null;
    /** Answer from FAQ items alone if they have an answer, and from other knowledge only if they have none. Present once a PATCH has set any of `greeting`, `tone`, `no_evidence_message`, `low_confidence_message` and `faq_first`. */
    faq_first?: boolean;
    /** What becomes of the answers of the AI: `auto` sends those that it is sure of to senders who are authenticated, and makes drafts of the others; `draft` makes drafts of all; `off`: it does not answer. `draft` by default. Present once either of `ai_reply` and `notify` has been set. */
    ai_reply?: AiReply;
    /** Addresses that get a mail for new conversations, and for those that wait for a person; each at most one an hour. Present once either of `ai_reply` and `notify` has been set. */
    notify?: string[];
}
/**
 * @example {
 *       "type": "email.opened",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "email_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "email_inbox_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f",
 *         "automatic": false
 *       }
 *     }
 */
export interface EmailOpenedEvent {
    /** @constant */
    type: "email.opened";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** Format: uuid */
        email_id: string;
        /** Format: uuid */
        email_inbox_id: string;
        /** Sent by a program, such as a newsletter or a bounce. */
        automatic: boolean;
    };
}
/**
 * @example {
 *       "items": [
 *         {
 *           "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *           "subject": "My lamp",
 *           "from_email": "sam@example.com",
 *           "status": "open",
 *           "priority": "medium",
 *           "ai": "answered",
 *           "created_at": "2026-03-01T09:30:00.000Z",
 *           "updated_at": "2026-03-01T09:31:12.000Z"
 *         }
 *       ],
 *       "total": 1,
 *       "has_more": false
 *     }
 */
export interface EmailPage {
    items: Email[];
    /** The number of items that match the filter. */
    total: number;
    has_more: boolean;
    /** Present when has_more is true. */
    next_cursor?: string;
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "subject": "My lamp",
 *       "from_email": "sam@example.com",
 *       "status": "open",
 *       "priority": "medium",
 *       "ai": "answered",
 *       "created_at": "2026-03-01T09:30:00.000Z",
 *       "updated_at": "2026-03-01T09:31:12.000Z",
 *       "conversation": [
 *         {
 *           "role": "user",
 *           "message": "My lamp flickers. What can I do?"
 *         },
 *         {
 *           "role": "assistant",
 *           "message": "Send it to us; repairs are free for two years. [1]\n\nSources:\n[1] Repairs"
 *         }
 *       ]
 *     }
 */
export interface EmailWithConversation {
    id: string;
    subject: string;
    /** The sender's address. */
    from_email: string;
    status: Status;
    priority: Priority;
    /** What the AI does about the newest message. */
    ai: AiState;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    conversation: CaseMessage[];
}
/**
 * @example {
 *       "snippet": "<script async src=\"https://parley.example.com/widget.js\" data-chatbot=\"R7ne6P7zrruV\"></script>",
 *       "page": "https://parley.example.com/chat/R7ne6P7zrruV"
 *     }
 */
export interface Embed {
    /** For the pages of the allowed domains. */
    snippet: string;
    /**
     * Format: uri
     * The address of a page of its own.
     */
    page: string;
}
export interface EndedTraining {
    /** Format: date-time */
    started_at: string;
    /** Format: date-time */
    ended_at: string;
    /** Texts that the embedding model was given. */
    embedded: number;
    /** Texts whose vectors were known, because they had not changed. */
    reused: number;
    /** Requests to the embedding model, without their retries. */
    calls: number;
    /** In the embedded texts: an estimate, one for four characters. */
    tokens: number;
}
/**
 * @example {
 *       "id": "5c0f4c1e-0b9a-4d5e-8f3a-1b2c3d4e5f60",
 *       "number": 1042,
 *       "type": "ticket.opened",
 *       "version": 1,
 *       "resource_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "ticket_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "ticket_form_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f"
 *       }
 *     }
 */
export interface Event {
    /** The same wherever the event is told of, and however often. */
    id: string;
    /** Counts the events of the account, without gaps. */
    number: number;
    /** The name of one of the `webhooks` of this description. */
    type: string;
    /** Of the form of `data`. New fields are no new version. */
    version: number;
    /** What the event is about, or what keeps it: events with the same are in the order in which they happened. */
    resource_id: string;
    /** Format: date-time */
    timestamp: string;
    /** What happened: as in the webhook of this name. */
    data: {
        [key: string]: unknown;
    };
}
/**
 * @example {
 *       "items": [
 *         {
 *           "id": "5c0f4c1e-0b9a-4d5e-8f3a-1b2c3d4e5f60",
 *           "number": 1042,
 *           "type": "ticket.opened",
 *           "version": 1,
 *           "resource_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *           "timestamp": "2026-03-01T09:30:00.000Z",
 *           "data": {
 *             "ticket_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *             "ticket_form_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f"
 *           }
 *         }
 *       ],
 *       "total": 1,
 *       "has_more": false,
 *       "next_cursor": "bmV4dA"
 *     }
 */
export interface EventPage {
    items: Event[];
    /** How many are kept; with `types`, how many of these, counted up to 10,000. */
    total: number;
    has_more: boolean;
    /** Always present: at the end, it leads to what happens later. */
    next_cursor: string;
}
/**
 * An event of a stream: its name, and its data, which is sent as JSON.
 * @example {
 *       "event": "ready",
 *       "data": {}
 *     }
 * @example {
 *       "event": "event",
 *       "data": {
 *         "id": "5c0f4c1e-0b9a-4d5e-8f3a-1b2c3d4e5f60",
 *         "number": 1042,
 *         "type": "ticket.opened",
 *         "version": 1,
 *         "resource_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "timestamp": "2026-03-01T09:30:00.000Z",
 *         "data": {
 *           "ticket_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *           "ticket_form_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f"
 *         }
 *       },
 *       "id": "1042"
 *     }
 * @example {
 *       "event": "done",
 *       "data": {
 *         "items": [
 *           {
 *             "id": "5c0f4c1e-0b9a-4d5e-8f3a-1b2c3d4e5f60",
 *             "number": 1042,
 *             "type": "ticket.opened",
 *             "version": 1,
 *             "resource_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *             "timestamp": "2026-03-01T09:30:00.000Z",
 *             "data": {
 *               "ticket_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *               "ticket_form_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f"
 *             }
 *           }
 *         ],
 *         "total": 1,
 *         "has_more": false,
 *         "next_cursor": "bmV4dA"
 *       }
 *     }
 */
export type EventPageEvent = {
    /** @constant */
    event: "ready";
    /** The stream has begun. */
    data: Record<string, never>;
} | {
    /** @constant */
    event: "event";
    data: Event;
} | {
    /** @constant */
    event: "done";
    data: EventPage;
} | {
    /** @constant */
    event: "error";
    /** Why there is no reply: the `message` that the JSON response would have had. */
    data: {
        message: string;
    };
};
/**
 * @example {
 *       "entry": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "outcome": "answered",
 *       "confidence": "high",
 *       "answerer": "extractive/1",
 *       "offered": [
 *         {
 *           "knowledge_id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *           "title": "Repairs",
 *           "url": "https://www.example.com/repairs",
 *           "score": 0.83
 *         }
 *       ],
 *       "cited": [
 *         1
 *       ]
 *     }
 */
export interface Evidence {
    /** The id of the answer's message, or of the question's if there is no answer. */
    entry: string;
    outcome: Outcome;
    /** How sure the answer is: `high`, `low` (the message says that it is unsure), or null if there is no answer. */
    confidence: Confidence | null;
    /** What answered, and its version or model. */
    answerer: string;
    /** The passages that the answerer was given, best first. */
    offered: {
        knowledge_id: string;
        title: string;
        /** Null if the passage has no address. */
        url: string | null;
        /** 0 to 1; comparable within one answer only. */
        score: number;
    }[];
    /** Positions in `offered`, from 1, of the passages that the answer cites. */
    cited: number[];
}
/**
 * @example {
 *       "items": [
 *         {
 *           "entry": "01890a5d-ac96-474b-8cce-b302099a8057",
 *           "outcome": "answered",
 *           "confidence": "high",
 *           "answerer": "extractive/1",
 *           "offered": [
 *             {
 *               "knowledge_id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *               "title": "Repairs",
 *               "url": "https://www.example.com/repairs",
 *               "score": 0.83
 *             }
 *           ],
 *           "cited": [
 *             1
 *           ]
 *         }
 *       ],
 *       "total": 1,
 *       "has_more": false
 *     }
 */
export interface EvidencePage {
    items: Evidence[];
    /** The number of items that match the filter. */
    total: number;
    has_more: boolean;
    /** Present when has_more is true. */
    next_cursor?: string;
}
/** Rich text in the format of Editor.js. */
export interface FaqAnswer {
    version: string;
    /** When it was created, in milliseconds since 1970. */
    time: number;
    /** One for each paragraph. */
    blocks: {
        id: string;
        /** @constant */
        type: "paragraph";
        data: {
            text: string;
        };
    }[];
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "question": "When are you open?",
 *       "answer": {
 *         "version": "2.31.0",
 *         "time": 1772357400000,
 *         "blocks": [
 *           {
 *             "id": "k3v9x2p1qa",
 *             "type": "paragraph",
 *             "data": {
 *               "text": "From nine to five."
 *             }
 *           }
 *         ]
 *       },
 *       "categories": [
 *         "Opening hours"
 *       ],
 *       "source_url": "https://www.example.com/hours"
 *     }
 */
export interface FaqItem {
    id: string;
    question: string;
    answer: FaqAnswer;
    categories: string[];
    source_url: string | null;
}
/**
 * @example {
 *       "items": [
 *         {
 *           "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *           "question": "When are you open?",
 *           "answer": {
 *             "version": "2.31.0",
 *             "time": 1772357400000,
 *             "blocks": [
 *               {
 *                 "id": "k3v9x2p1qa",
 *                 "type": "paragraph",
 *                 "data": {
 *                   "text": "From nine to five."
 *                 }
 *               }
 *             ]
 *           },
 *           "categories": [
 *             "Opening hours"
 *           ],
 *           "source_url": "https://www.example.com/hours"
 *         }
 *       ],
 *       "total": 1,
 *       "has_more": false
 *     }
 */
export interface FaqItemPage {
    items: FaqItem[];
    /** The number of items that match the filter. */
    total: number;
    has_more: boolean;
    /** Present when has_more is true. */
    next_cursor?: string;
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "type": "document",
 *       "document_url": "https://parley.example.com/v1/knowledge/01890a5d-ac96-474b-8cce-b302099a8057/file"
 *     }
 */
export interface FinalizedDocument {
    id: string;
    /** @constant */
    type: "document";
    /**
     * Format: uri
     * Where the file is.
     */
    document_url: string;
}
export interface FormField {
    id: string;
    /** The question text. */
    name: string;
    /** @enum {string} */
    type: "TEXT" | "LONG_TEXT" | "EMAIL" | "NUMBER" | "SELECT" | "MULTI_SELECT" | "CHECKBOX" | "DATE";
    required: boolean;
    /** Of SELECT and MULTI_SELECT fields only. */
    defaultSelectValues?: SelectValue[];
}
/**
 * @example {
 *       "secret": "c2VjcmV0IG9mIGEgY2hhdGJvdCwgc2hvd24gb25jZSE"
 *     }
 */
export interface IdentitySecret {
    secret: string;
}
/**
 * @example {
 *       "type": "key.created",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "key_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34"
 *       }
 *     }
 */
export interface KeyCreatedEvent {
    /** @constant */
    type: "key.created";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** Format: uuid */
        key_id: string;
    };
}
/**
 * @example {
 *       "type": "key.revoked",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "key_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34"
 *       }
 *     }
 */
export interface KeyRevokedEvent {
    /** @constant */
    type: "key.revoked";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** Format: uuid */
        key_id: string;
    };
}
/**
 * @example {
 *       "type": "knowledge.changed",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "knowledge_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34"
 *       }
 *     }
 */
export interface KnowledgeChangedEvent {
    /** @constant */
    type: "knowledge.changed";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** Format: uuid */
        knowledge_id: string;
    };
}
/**
 * @example {
 *       "type": "knowledge.created",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "knowledge_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34"
 *       }
 *     }
 */
export interface KnowledgeCreatedEvent {
    /** @constant */
    type: "knowledge.created";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** Format: uuid */
        knowledge_id: string;
    };
}
/**
 * @example {
 *       "type": "knowledge.deleted",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "knowledge_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34"
 *       }
 *     }
 */
export interface KnowledgeDeletedEvent {
    /** @constant */
    type: "knowledge.deleted";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** Format: uuid */
        knowledge_id: string;
    };
}
/**
 * What a knowledge item is.
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "type": "website",
 *       "base_url": "https://www.example.com/"
 *     }
 */
export interface KnowledgeIdentity {
    id: string;
    /** @enum {string} */
    type: "website" | "video" | "document" | "faq";
    /** Websites: the address of the site. */
    base_url?: string;
    /** FAQs; videos once a PATCH has set it. */
    title?: string;
    /** FAQs. */
    description?: string | null;
    /** Videos: YouTube's id. */
    video_id?: string;
    /** Videos: the link as it was sent. */
    video_url?: string;
    /**
     * Videos.
     * @constant
     */
    video_type?: "YOUTUBE";
    /** Finalized documents: where the file is. To read it takes a key of the account. */
    document_url?: string;
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "type": "website",
 *       "base_url": "https://www.example.com/",
 *       "include": [
 *         "/help/"
 *       ],
 *       "exclude": [
 *         "/*\/print$"
 *       ],
 *       "retrain_every": 24,
 *       "is_training": false,
 *       "trained_at": "2026-03-01T09:30:00.000Z",
 *       "training_failed_at": null,
 *       "training_failed_with": null,
 *       "live_since": "2026-03-01T09:30:00.000Z",
 *       "training_notes": [],
 *       "last_training": {
 *         "started_at": "2026-03-01T09:28:41.000Z",
 *         "ended_at": "2026-03-01T09:30:00.000Z",
 *         "embedded": 37,
 *         "reused": 412,
 *         "calls": 6,
 *         "tokens": 7311
 *       }
 *     }
 */
export interface KnowledgeItem {
    id: string;
    /** @enum {string} */
    type: "website" | "video" | "document" | "faq";
    /** Websites: the address of the site. */
    base_url?: string;
    /** FAQs; videos once a PATCH has set it. */
    title?: string;
    /** FAQs. */
    description?: string | null;
    /** Videos: YouTube's id. */
    video_id?: string;
    /** Videos: the link as it was sent. */
    video_url?: string;
    /**
     * Videos.
     * @constant
     */
    video_type?: "YOUTUBE";
    /** Finalized documents: where the file is. To read it takes a key of the account. */
    document_url?: string;
    /** Videos: the language of the captions to train; null: the best that there are. */
    language?: string | null;
    /** Videos: the size of the transcript that was uploaded; null: YouTube's captions are trained. */
    transcript_bytes?: number | null;
    /** Websites: path patterns of the pages to train; empty: all. */
    include?: string[];
    /** Websites: path patterns of the pages to leave out, even if included. */
    exclude?: string[];
    /** Websites: hours after which the site is trained again by itself; null: only on request. */
    retrain_every?: number | null;
    is_training: boolean;
    /** When the latest training was completed, if it succeeded. */
    trained_at: string | null;
    training_failed_at: string | null;
    /** Why it failed, in a sentence. */
    training_failed_with: string | null;
    /** When the training whose result is live was completed; null while there is none. */
    live_since: string | null;
    /** While a training is queued or running. */
    training?: TrainingProgress;
    /** What the latest training left out or could not read anew, a sentence each: limits that it hit, how many pages kept what an earlier training read because they could not be read for a passing reason, and how many were left out because they ask for it (noindex, nofollow) or are the same as others; while one is queued, why it has to be tried again. */
    training_notes: string[];
    /** What the latest training that has ended asked of the embedding model; null before the first. */
    last_training: EndedTraining | null;
}
/**
 * @example {
 *       "items": [
 *         {
 *           "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *           "type": "website",
 *           "base_url": "https://www.example.com/",
 *           "include": [
 *             "/help/"
 *           ],
 *           "exclude": [
 *             "/*\/print$"
 *           ],
 *           "retrain_every": 24,
 *           "is_training": false,
 *           "trained_at": "2026-03-01T09:30:00.000Z",
 *           "training_failed_at": null,
 *           "training_failed_with": null,
 *           "live_since": "2026-03-01T09:30:00.000Z",
 *           "training_notes": [],
 *           "last_training": {
 *             "started_at": "2026-03-01T09:28:41.000Z",
 *             "ended_at": "2026-03-01T09:30:00.000Z",
 *             "embedded": 37,
 *             "reused": 412,
 *             "calls": 6,
 *             "tokens": 7311
 *           }
 *         }
 *       ],
 *       "total": 1,
 *       "has_more": false
 *     }
 */
export interface KnowledgeItemPage {
    items: KnowledgeItem[];
    /** The number of items that match the filter. */
    total: number;
    has_more: boolean;
    /** Present when has_more is true. */
    next_cursor?: string;
}
/**
 * @example {
 *       "knowledge_id": "01890a5d-ac96-474b-8cce-b302099a8057"
 *     }
 */
export interface KnowledgeReference {
    /**
     * Format: uuid
     * The id, a UUID.
     */
    knowledge_id: string;
}
/**
 * Something that a knowledge item was trained from, as the latest training found it.
 * @example {
 *       "type": "part",
 *       "name": "page 12",
 *       "faq_item_id": null,
 *       "state": "trained",
 *       "reason": null,
 *       "bytes": 2318,
 *       "chunks": 3,
 *       "title": "handbook.pdf, page 12",
 *       "kept": null,
 *       "trained_at": "2026-03-01T09:30:00.000Z",
 *       "training_failed_at": null
 *     }
 */
export interface KnowledgeSource {
    /**
     * Websites have pages, documents parts, videos a transcript, FAQs items.
     * @enum {string}
     */
    type: "page" | "part" | "transcript" | "faq_item";
    /** The `page_url` of a page; where in its document a part is, such as `page 12`; what kind of transcript it is, and its language; the question of an FAQ item. */
    name: string;
    /** Of an FAQ item, which may have been deleted since; null otherwise. */
    faq_item_id: string | null;
    /** @enum {string} */
    state: "trained" | "failed";
    /** Why it failed; or else why part of it is not searched, or why a page keeps what an earlier training read; null if there is nothing to say. */
    reason: string | null;
    /** Of a page's response, or of the text of anything else; null if it was not read. */
    bytes: number | null;
    /** The passages that search can find. */
    chunks: number;
    /** Null on pages that failed. */
    title: string | null;
    /** The share of the visible text of a page that is trained, from 0 to 1; menus, lists of links and the like are left out. Null on pages that failed, or until the page is trained again. */
    kept: number | null;
    /** When the latest training was completed, if it succeeded. */
    trained_at: string | null;
    training_failed_at: string | null;
}
/**
 * @example {
 *       "items": [
 *         {
 *           "type": "part",
 *           "name": "page 12",
 *           "faq_item_id": null,
 *           "state": "trained",
 *           "reason": null,
 *           "bytes": 2318,
 *           "chunks": 3,
 *           "title": "handbook.pdf, page 12",
 *           "kept": null,
 *           "trained_at": "2026-03-01T09:30:00.000Z",
 *           "training_failed_at": null
 *         }
 *       ],
 *       "total": 1,
 *       "has_more": false
 *     }
 */
export interface KnowledgeSourcePage {
    items: KnowledgeSource[];
    /** The number of items that match the filter. */
    total: number;
    has_more: boolean;
    /** Present when has_more is true. */
    next_cursor?: string;
}
/**
 * @example {
 *       "type": "mail.failed",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "kind": "email",
 *         "conversation_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "assistant_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f",
 *         "message_id": "b7c9d2e1-5f4a-4c3b-9d8e-7f6a5b4c3d2e"
 *       }
 *     }
 */
export interface MailFailedEvent {
    /** @constant */
    type: "mail.failed";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** @enum {string} */
        kind: "ticket" | "email";
        /** Format: uuid */
        conversation_id: string;
        /**
         * Format: uuid
         * The chatbot, ticket form or email inbox.
         */
        assistant_id: string;
        /** Format: uuid */
        message_id: string;
    };
}
/**
 * @example {
 *       "type": "mail.sent",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "kind": "email",
 *         "conversation_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "assistant_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f",
 *         "message_id": "b7c9d2e1-5f4a-4c3b-9d8e-7f6a5b4c3d2e"
 *       }
 *     }
 */
export interface MailSentEvent {
    /** @constant */
    type: "mail.sent";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** @enum {string} */
        kind: "ticket" | "email";
        /** Format: uuid */
        conversation_id: string;
        /**
         * Format: uuid
         * The chatbot, ticket form or email inbox.
         */
        assistant_id: string;
        /** Format: uuid */
        message_id: string;
    };
}
/**
 * @example {
 *       "account": {
 *         "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *         "name": "Acme"
 *       },
 *       "key": {
 *         "id": "01890a5d-b1c2-4e1f-9d3a-5b6c7d8e9f01",
 *         "name": "first",
 *         "scopes": [
 *           "CHATBOTS_WRITE"
 *         ],
 *         "restricted": false,
 *         "expires_at": null
 *       }
 *     }
 */
export interface Me {
    account: {
        id: string;
        name: string;
    };
    key: {
        id: string;
        name: string;
        scopes: Scope[];
        /** It may do only what its scopes say. */
        restricted: boolean;
        expires_at: string | null;
    };
}
/**
 * @example {
 *       "role": "user",
 *       "message": "When are you open?"
 *     }
 */
export interface Message {
    /**
     * `user` is the end user, `assistant` the AI or the owner.
     * @enum {string}
     */
    role: "user" | "assistant";
    message: string;
}
/**
 * @example {
 *       "type": "message.received",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "kind": "chat",
 *         "conversation_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "assistant_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f",
 *         "message_id": "b7c9d2e1-5f4a-4c3b-9d8e-7f6a5b4c3d2e"
 *       }
 *     }
 */
export interface MessageReceivedEvent {
    /** @constant */
    type: "message.received";
    /** Format: date-time */
    timestamp: string;
    data: {
        /**
         * What `conversation_id` is the id of.
         * @enum {string}
         */
        kind: "chat" | "ticket" | "email";
        /** Format: uuid */
        conversation_id: string;
        /**
         * Format: uuid
         * The chatbot, ticket form or email inbox.
         */
        assistant_id: string;
        /** Format: uuid */
        message_id: string;
    };
}
/**
 * @example {
 *       "type": "message.voted",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "chat_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "chatbot_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f",
 *         "message_id": "b7c9d2e1-5f4a-4c3b-9d8e-7f6a5b4c3d2e",
 *         "vote": "up"
 *       }
 *     }
 */
export interface MessageVotedEvent {
    /** @constant */
    type: "message.voted";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** Format: uuid */
        chat_id: string;
        /** Format: uuid */
        chatbot_id: string;
        /** Format: uuid */
        message_id: string;
        /** @enum {string} */
        vote: "up" | "down";
    };
}
/**
 * @example {
 *       "type": "message.written",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "kind": "ticket",
 *         "conversation_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "assistant_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f",
 *         "message_id": "b7c9d2e1-5f4a-4c3b-9d8e-7f6a5b4c3d2e",
 *         "by": "owner"
 *       }
 *     }
 */
export interface MessageWrittenEvent {
    /** @constant */
    type: "message.written";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** @enum {string} */
        kind: "ticket" | "email";
        /** Format: uuid */
        conversation_id: string;
        /**
         * Format: uuid
         * The chatbot, ticket form or email inbox.
         */
        assistant_id: string;
        /** Format: uuid */
        message_id: string;
        /** @enum {string} */
        by: "owner" | "persona" | "ai";
    };
}
export interface NewFormField {
    /** The question text. */
    name: string;
    /** @enum {string} */
    type: "TEXT" | "LONG_TEXT" | "EMAIL" | "NUMBER" | "SELECT" | "MULTI_SELECT" | "CHECKBOX" | "DATE";
    /** False by default. */
    required?: boolean | null;
    /** Required on SELECT and MULTI_SELECT fields, absent on others. */
    defaultSelectValues?: NewSelectValue[] | null;
    /** Ignored: a new field gets an id of its own. */
    id?: string | null;
}
export interface NewSelectValue {
    value: string;
    label: string;
}
/** @enum {string} */
export type Outcome = "answered" | "no_evidence" | "failed";
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "name": "Ada",
 *       "image_url": "https://www.example.com/ada.png"
 *     }
 */
export interface Persona {
    id: string;
    name: string;
    image_url: string | null;
}
/**
 * @example {
 *       "items": [
 *         {
 *           "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *           "name": "Ada",
 *           "image_url": "https://www.example.com/ada.png"
 *         }
 *       ],
 *       "total": 1,
 *       "has_more": false
 *     }
 */
export interface PersonaPage {
    items: Persona[];
    /** The number of items that match the filter. */
    total: number;
    has_more: boolean;
    /** Present when has_more is true. */
    next_cursor?: string;
}
/** @enum {string} */
export type Priority = "low" | "medium" | "high" | "urgent";
/**
 * @example {
 *       "type": "priority.changed",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "kind": "email",
 *         "conversation_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "assistant_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f",
 *         "from": "medium",
 *         "to": "urgent"
 *       }
 *     }
 */
export interface PriorityChangedEvent {
    /** @constant */
    type: "priority.changed";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** @enum {string} */
        kind: "ticket" | "email";
        /** Format: uuid */
        conversation_id: string;
        /**
         * Format: uuid
         * The chatbot, ticket form or email inbox.
         */
        assistant_id: string;
        /** @enum {string} */
        from: "low" | "medium" | "high" | "urgent";
        /** @enum {string} */
        to: "low" | "medium" | "high" | "urgent";
    };
}
/**
 * @example {
 *       "type": "quota.near",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "name": "items",
 *         "limit": 10000,
 *         "window": "none",
 *         "used": 8000
 *       }
 *     }
 */
export interface QuotaNearEvent {
    /** @constant */
    type: "quota.near";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** As in `GET /usage`. */
        name: string;
        used: number;
        limit: number;
        /**
         * After which it counts anew, in UTC.
         * @enum {string}
         */
        window: "none" | "day";
    };
}
/**
 * @example {
 *       "type": "quota.reached",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "name": "items",
 *         "limit": 10000,
 *         "window": "none",
 *         "used": 10000
 *       }
 *     }
 */
export interface QuotaReachedEvent {
    /** @constant */
    type: "quota.reached";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** As in `GET /usage`. */
        name: string;
        used: number;
        limit: number;
        /**
         * After which it counts anew, in UTC.
         * @enum {string}
         */
        window: "none" | "day";
    };
}
export interface ReceivedMail {
    /** The id of the message, with which its raw form is read. */
    id: string;
    from_email: string;
    /** Whether the domain, a trusted relay or a token vouches for the sender. */
    authenticated: boolean;
    /** Sent by a program: nothing is sent because of it. */
    automatic: boolean;
    /** In the words of RFC 8601, such as `pass`. */
    spf: string;
    /** In the words of RFC 8601, such as `pass`. */
    dkim: string;
    /** In the words of RFC 8601, such as `pass`. */
    dmarc: string;
    /** What it repeats of earlier messages, and its signature. */
    quoted: string | null;
    /** The text goes on in the raw message. */
    cut: boolean;
    attachments: Attachment[];
}
/**
 * @example {
 *       "since": "2026-03-01T09:00:00Z"
 *     }
 */
export interface RedeliverEventsRequest {
    /** Format: date-time */
    since: string;
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "session_id": "01890a5d-b1c2-4e1f-9d3a-5b6c7d8e9f01",
 *       "message": "From nine to five. [1]\n\nSources:\n[1] Opening hours - https://www.example.com/hours",
 *       "sources": [
 *         {
 *           "n": 1,
 *           "title": "Opening hours",
 *           "url": "https://www.example.com/hours"
 *         }
 *       ],
 *       "confidence": "high"
 *     }
 */
export interface Reply {
    /** The id of the chat. */
    id: string;
    /** Send it with the next message, to continue the conversation. */
    session_id: string;
    /** The reply, with citation marks [n] and a closing list of sources. */
    message: string;
    sources: Source[];
    /** How sure the answer is: `high`, `low` (the message says that it is unsure), or null if there is no answer. */
    confidence: Confidence | null;
}
/**
 * An event of a stream: its name, and its data, which is sent as JSON.
 * @example {
 *       "event": "sources",
 *       "data": [
 *         {
 *           "n": 1,
 *           "title": "Opening hours",
 *           "url": "https://www.example.com/hours"
 *         }
 *       ]
 *     }
 * @example {
 *       "event": "token",
 *       "data": {
 *         "text": "From nine to five. [1]"
 *       }
 *     }
 * @example {
 *       "event": "done",
 *       "data": {
 *         "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *         "session_id": "01890a5d-b1c2-4e1f-9d3a-5b6c7d8e9f01",
 *         "message": "From nine to five. [1]\n\nSources:\n[1] Opening hours - https://www.example.com/hours",
 *         "sources": [
 *           {
 *             "n": 1,
 *             "title": "Opening hours",
 *             "url": "https://www.example.com/hours"
 *           }
 *         ],
 *         "confidence": "high"
 *       }
 *     }
 */
export type ReplyEvent = {
    /** @constant */
    event: "token";
    /** The next part of the reply, with its marks; all together are the message without its list of sources. */
    data: {
        text: string;
    };
} | {
    /** @constant */
    event: "sources";
    /** All sources so far; sent again, whenever there is another one, before the first mark that needs it. */
    data: Source[];
} | {
    /** @constant */
    event: "done";
    data: Reply;
} | {
    /** @constant */
    event: "error";
    /** Why there is no reply: the `message` that the JSON response would have had. */
    data: {
        message: string;
    };
};
/**
 * @example {
 *       "message": "Please send us the lamp."
 *     }
 */
export interface ReplyToEmailRequest {
    message: string;
}
/**
 * @example {
 *       "message": "Please send us the lamp."
 *     }
 */
export interface ReplyToTicketRequest {
    message: string;
    /** The persona that the reply comes from; the owner if absent. */
    persona_id?: string | null;
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "name": "Deployment",
 *       "scopes": [
 *         "CHATBOTS_WRITE"
 *       ],
 *       "restricted": false,
 *       "created_at": "2026-03-01T09:30:00.000Z",
 *       "expires_at": null,
 *       "last_used_at": "2026-03-02T14:05:00.000Z",
 *       "created_by": null,
 *       "revoked": [
 *         {
 *           "id": "01890a5d-b1c2-4e1f-9d3a-5b6c7d8e9f01",
 *           "name": "Preview"
 *         }
 *       ]
 *     }
 */
export interface RevokedApiKey {
    id: string;
    name: string;
    scopes: Scope[];
    /** It may do only what its scopes say. */
    restricted: boolean;
    /** Format: date-time */
    created_at: string;
    /** Null: never. */
    expires_at: string | null;
    /** To the minute. */
    last_used_at: string | null;
    /** The key that created it, which may be revoked by now; null if none did. */
    created_by: {
        id: string;
        name: string;
    } | null;
    /** The keys that were revoked with it, newest first; at most 1,000 are listed. */
    revoked: {
        id: string;
        name: string;
    }[];
}
/**
 * What a key may do that not every key may. `KNOWLEDGE_READ` and those after it are for restricted keys: every other key may do that.
 * @enum {string}
 */
export type Scope = "TICKETFORMS_WRITE" | "TICKETS_WRITE" | "EMAILINBOXES_WRITE" | "EMAILS_WRITE" | "CHATBOTS_WRITE" | "API_KEYS_WRITE" | "ACCOUNT_WRITE" | "KNOWLEDGE_READ" | "KNOWLEDGE_WRITE" | "CHATS_READ" | "CHATS_REPLY" | "TICKETS_READ" | "EMAILS_READ";
export interface SelectValue {
    value: string;
    label: string;
}
/**
 * @example {
 *       "on": true
 *     }
 */
export interface SetEmailAiRequest {
    on: boolean;
}
/**
 * @example {
 *       "on": true
 *     }
 */
export interface SetTicketAiRequest {
    on: boolean;
}
/**
 * @example {
 *       "n": 1,
 *       "title": "Opening hours",
 *       "url": "https://www.example.com/hours"
 *     }
 */
export interface Source {
    /** The number of its mark in the message. */
    n: number;
    title: string;
    /** Null if the source has no address. */
    url: string | null;
}
/** @enum {string} */
export type Status = "open" | "assigned" | "need_more_info" | "resolved" | "closed";
/**
 * @example {
 *       "type": "status.changed",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "kind": "ticket",
 *         "conversation_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "assistant_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f",
 *         "from": "open",
 *         "to": "resolved"
 *       }
 *     }
 */
export interface StatusChangedEvent {
    /** @constant */
    type: "status.changed";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** @enum {string} */
        kind: "ticket" | "email";
        /** Format: uuid */
        conversation_id: string;
        /**
         * Format: uuid
         * The chatbot, ticket form or email inbox.
         */
        assistant_id: string;
        /** @enum {string} */
        from: "open" | "assigned" | "need_more_info" | "resolved" | "closed";
        /** @enum {string} */
        to: "open" | "assigned" | "need_more_info" | "resolved" | "closed";
    };
}
/**
 * @example {
 *       "status": "resolved",
 *       "priority": "low"
 *     }
 */
export interface StatusUpdate {
    status?: Status | null;
    priority?: Priority | null;
}
/**
 * @example {
 *       "page_url": "/hours",
 *       "trained_at": "2026-03-01T09:30:00.000Z",
 *       "training_failed_at": null,
 *       "training_failed_with": null,
 *       "training_note": null,
 *       "state": "trained",
 *       "reason": null,
 *       "bytes": 48213,
 *       "chunks": 5,
 *       "title": "Opening hours",
 *       "kept": 0.87
 *     }
 */
export interface SubPage {
    /** Path and query, relative to the site; the query is sorted, without parameters that track visitors or name their session. Pages of a site may be HTML, plain text, Markdown or PDF. Pages that robots.txt refuses, that ask not to be indexed or that are copies of others are not listed. */
    page_url: string;
    /** When the latest training was completed, if it succeeded. */
    trained_at: string | null;
    training_failed_at: string | null;
    /** Why it failed, in a sentence. */
    training_failed_with: string | null;
    /** Why part of a trained page is not searched, or why it keeps what an earlier training read; null otherwise. */
    training_note: string | null;
    /** @enum {string} */
    state: "trained" | "failed";
    /** Why it failed; or else why part of it is not searched, or why a page keeps what an earlier training read; null if there is nothing to say. */
    reason: string | null;
    /** Of a page's response, or of the text of anything else; null if it was not read. */
    bytes: number | null;
    /** The passages that search can find. */
    chunks: number;
    /** Null on pages that failed. */
    title: string | null;
    /** The share of the visible text of a page that is trained, from 0 to 1; menus, lists of links and the like are left out. Null on pages that failed, or until the page is trained again. */
    kept: number | null;
}
/**
 * @example {
 *       "items": [
 *         {
 *           "page_url": "/hours",
 *           "trained_at": "2026-03-01T09:30:00.000Z",
 *           "training_failed_at": null,
 *           "training_failed_with": null,
 *           "training_note": null,
 *           "state": "trained",
 *           "reason": null,
 *           "bytes": 48213,
 *           "chunks": 5,
 *           "title": "Opening hours",
 *           "kept": 0.87
 *         }
 *       ],
 *       "total": 1,
 *       "has_more": false
 *     }
 */
export interface SubPagePage {
    items: SubPage[];
    /** The number of items that match the filter. */
    total: number;
    has_more: boolean;
    /** Present when has_more is true. */
    next_cursor?: string;
}
/**
 * @example {
 *       "ai": "pending"
 *     }
 */
export interface ThreadAi {
    ai: AiState;
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "status": "open",
 *       "priority": "medium",
 *       "ai": "answered",
 *       "created_at": "2026-03-01T09:30:00.000Z",
 *       "updated_at": "2026-03-01T09:31:12.000Z"
 *     }
 */
export interface Ticket {
    id: string;
    status: Status;
    priority: Priority;
    /** What the AI does about the newest message. */
    ai: AiState;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "public_id": "T4mw8Q2xkzLc",
 *       "title": "Repairs",
 *       "allowed_domains": [
 *         "www.example.com"
 *       ],
 *       "fields": [
 *         {
 *           "id": "01890a5d-b1c2-4e1f-9d3a-5b6c7d8e9f01",
 *           "name": "What is broken?",
 *           "type": "LONG_TEXT",
 *           "required": true
 *         }
 *       ]
 *     }
 */
export interface TicketForm {
    id: string;
    /** Short and URL-safe; names the form in paths as its id does. */
    public_id: string;
    title: string;
    /** Hosts of the pages that may embed it. */
    allowed_domains: string[];
    fields: FormField[];
    /** What it says to a greeting. Null: a greeting in the language of the visitor. Present once a PATCH has set any of `greeting`, `tone`, `no_evidence_message`, `low_confidence_message` and `faq_first`. */
    greeting?: string | null;
    /** How its answers should sound, such as `friendly and brief`. Only used with a model. Present once a PATCH has set any of `greeting`, `tone`, `no_evidence_message`, `low_confidence_message` and `faq_first`. */
    tone?: string | null;
    /** What it says if its knowledge has no answer. Null: a sentence that says so, in the language of the question. Present once a PATCH has set any of `greeting`, `tone`, `no_evidence_message`, `low_confidence_message` and `faq_first`. */
    no_evidence_message?: string | null;
    /** What it says before a quote that may not answer the question. Null: a sentence that says so, in the language of the question. Present once a PATCH has set any of `greeting`, `tone`, `no_evidence_message`, `low_confidence_message` and `faq_first`. */
    low_confidence_message?: string | null;
    /** Answer from FAQ items alone if they have an answer, and from other knowledge only if they have none. Present once a PATCH has set any of `greeting`, `tone`, `no_evidence_message`, `low_confidence_message` and `faq_first`. */
    faq_first?: boolean;
    /** What becomes of the answers of the AI: `auto` sends those that it is sure of to senders who are authenticated, and makes drafts of the others; `draft` makes drafts of all; `off`: it does not answer. `draft` by default. Present once either of `ai_reply` and `notify` has been set. */
    ai_reply?: AiReply;
    /** Addresses that get a mail for new conversations, and for those that wait for a person; each at most one an hour. Present once either of `ai_reply` and `notify` has been set. */
    notify?: string[];
}
/**
 * @example {
 *       "type": "ticket.opened",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "ticket_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "ticket_form_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f"
 *       }
 *     }
 */
export interface TicketOpenedEvent {
    /** @constant */
    type: "ticket.opened";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** Format: uuid */
        ticket_id: string;
        /** Format: uuid */
        ticket_form_id: string;
    };
}
/**
 * @example {
 *       "items": [
 *         {
 *           "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *           "status": "open",
 *           "priority": "medium",
 *           "ai": "answered",
 *           "created_at": "2026-03-01T09:30:00.000Z",
 *           "updated_at": "2026-03-01T09:31:12.000Z"
 *         }
 *       ],
 *       "total": 1,
 *       "has_more": false
 *     }
 */
export interface TicketPage {
    items: Ticket[];
    /** The number of items that match the filter. */
    total: number;
    has_more: boolean;
    /** Present when has_more is true. */
    next_cursor?: string;
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "status": "open",
 *       "priority": "medium",
 *       "ai": "answered",
 *       "created_at": "2026-03-01T09:30:00.000Z",
 *       "updated_at": "2026-03-01T09:31:12.000Z",
 *       "conversation": [
 *         {
 *           "role": "user",
 *           "message": "My lamp flickers. What can I do?"
 *         },
 *         {
 *           "role": "assistant",
 *           "message": "Send it to us; repairs are free for two years. [1]\n\nSources:\n[1] Repairs"
 *         }
 *       ]
 *     }
 */
export interface TicketWithConversation {
    id: string;
    status: Status;
    priority: Priority;
    /** What the AI does about the newest message. */
    ai: AiState;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    conversation: CaseMessage[];
}
/**
 * @example {
 *       "type": "training.failed",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "knowledge_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "generation": 3
 *       }
 *     }
 */
export interface TrainingFailedEvent {
    /** @constant */
    type: "training.failed";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** Format: uuid */
        knowledge_id: string;
        /** Counts the trainings that were asked for, of this item. */
        generation: number;
    };
}
/**
 * @example {
 *       "type": "training.finished",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "knowledge_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "generation": 3,
 *         "chunks": 120
 *       }
 *     }
 */
export interface TrainingFinishedEvent {
    /** @constant */
    type: "training.finished";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** Format: uuid */
        knowledge_id: string;
        /** Counts the trainings that were asked for, of this item. */
        generation: number;
        chunks: number;
    };
}
export interface TrainingProgress {
    /** @enum {string} */
    state: "queued" | "running";
    /** Pages of a website, or items of an FAQ. */
    sources_found: number;
    sources_done: number;
    chunks: number;
}
/**
 * @example {
 *       "type": "training.queued",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "knowledge_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "generation": 3
 *       }
 *     }
 */
export interface TrainingQueuedEvent {
    /** @constant */
    type: "training.queued";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** Format: uuid */
        knowledge_id: string;
        /** Counts the trainings that were asked for, of this item. */
        generation: number;
    };
}
/**
 * @example {
 *       "allowed_domains": [
 *         "www.example.com",
 *         "*.example.org"
 *       ],
 *       "greeting": "Ask me about tea."
 *     }
 */
export interface UpdateChatbotRequest {
    title?: string;
    allowed_domains?: string[] | null;
    /** What it says to a greeting. Null: a greeting in the language of the visitor. */
    greeting?: string | null;
    /** How its answers should sound, such as `friendly and brief`. Only used with a model. */
    tone?: string | null;
    /** What it says if its knowledge has no answer. Null: a sentence that says so, in the language of the question. */
    no_evidence_message?: string | null;
    /** What it says before a quote that may not answer the question. Null: a sentence that says so, in the language of the question. */
    low_confidence_message?: string | null;
    /** Answer from FAQ items alone if they have an answer, and from other knowledge only if they have none. */
    faq_first?: boolean | null;
    /** Questions that visitors can begin with. */
    suggestions?: string[] | null;
    /** The colour of its launcher, as #rrggbb. */
    colour?: string | null;
    /** The ticket form that leads to a person. */
    ticket_form_id?: string | null;
    /** How many messages all of its visitors together may send in a day (UTC). Null: the installation's default. */
    visitor_messages_per_day?: number | null;
}
/**
 * @example {
 *       "title": "Support of the shop"
 *     }
 */
export interface UpdateEmailInboxRequest {
    /** The local part of its address; lower-cased, unique over all accounts. */
    alias?: string;
    title?: string;
    description?: string | null;
    /** What it says to a greeting. Null: a greeting in the language of the visitor. */
    greeting?: string | null;
    /** How its answers should sound, such as `friendly and brief`. Only used with a model. */
    tone?: string | null;
    /** What it says if its knowledge has no answer. Null: a sentence that says so, in the language of the question. */
    no_evidence_message?: string | null;
    /** What it says before a quote that may not answer the question. Null: a sentence that says so, in the language of the question. */
    low_confidence_message?: string | null;
    /** Answer from FAQ items alone if they have an answer, and from other knowledge only if they have none. */
    faq_first?: boolean | null;
    /** What becomes of the answers of the AI: `auto` sends those that it is sure of to senders who are authenticated, and makes drafts of the others; `draft` makes drafts of all; `off`: it does not answer. `draft` by default. */
    ai_reply?: AiReply | null;
    /** Addresses that get a mail for new conversations, and for those that wait for a person; each at most one an hour. */
    notify?: string[] | null;
}
/**
 * @example {
 *       "include": [
 *         "/help/"
 *       ],
 *       "exclude": [
 *         "/*\/print$"
 *       ],
 *       "retrain_every": 24
 *     }
 */
export interface UpdateKnowledgeRequest {
    include?: string[] | null;
    exclude?: string[] | null;
    /** Hours; null: only on request. */
    retrain_every?: number | null;
    /** What citations call the video, from its next training on. Null: YouTube's title. */
    title?: string | null;
    /** Of the captions to train, such as `en` or `pt-BR`. Null: those that people made in the language that is spoken, else in another one, else automatic ones. */
    language?: string | null;
    /** An SRT or VTT file of at most 1,000,000 bytes, in a request of at most 1 MiB. Null: YouTube's captions. */
    transcript?: string | null;
}
/**
 * @example {
 *       "title": "Repairs and returns"
 *     }
 */
export interface UpdateTicketFormRequest {
    title?: string;
    allowed_domains?: string[] | null;
    fields?: ChangedFormField[] | null;
    /** What it says to a greeting. Null: a greeting in the language of the visitor. */
    greeting?: string | null;
    /** How its answers should sound, such as `friendly and brief`. Only used with a model. */
    tone?: string | null;
    /** What it says if its knowledge has no answer. Null: a sentence that says so, in the language of the question. */
    no_evidence_message?: string | null;
    /** What it says before a quote that may not answer the question. Null: a sentence that says so, in the language of the question. */
    low_confidence_message?: string | null;
    /** Answer from FAQ items alone if they have an answer, and from other knowledge only if they have none. */
    faq_first?: boolean | null;
    /** What becomes of the answers of the AI: `auto` sends those that it is sure of to senders who are authenticated, and makes drafts of the others; `draft` makes drafts of all; `off`: it does not answer. `draft` by default. */
    ai_reply?: AiReply | null;
    /** Addresses that get a mail for new conversations, and for those that wait for a person; each at most one an hour. */
    notify?: string[] | null;
}
/**
 * @example {
 *       "enabled": true
 *     }
 */
export interface UpdateWebhookRequest {
    /**
     * Format: uri
     * http or https; a private address is refused.
     */
    url?: string;
    /** Names of events, which are under `webhooks` in this description; `*` is all, also those to come. */
    events?: ("*" | "chat.begun" | "ticket.opened" | "email.opened" | "message.received" | "message.written" | "answer.given" | "answer.not_found" | "answer.failed" | "message.voted" | "visitor.identified" | "draft.made" | "mail.sent" | "mail.failed" | "status.changed" | "priority.changed" | "user.blocked" | "user.unblocked" | "training.queued" | "training.finished" | "training.failed" | "knowledge.created" | "knowledge.changed" | "knowledge.deleted" | "assistant.created" | "assistant.changed" | "assistant.deleted" | "key.created" | "key.revoked" | "quota.near" | "quota.reached" | "webhook.disabled")[];
    enabled?: boolean;
}
/**
 * @example {
 *       "name": "items",
 *       "used": 12,
 *       "limit": 10000,
 *       "window": "none",
 *       "spent_at": null
 *     }
 */
export interface Usage {
    /** What is counted: `items` of knowledge, `faq_items` (questions in FAQs), `files`, their `bytes`, `chunks` that are trained, `index_bytes` of the files that search reads, `chats`, `tickets`, `emails`, `mail_bytes` of received mails, `keys`, `webhooks`, `model_tokens` of prompts and answers, or `embedding_tokens` that the embedding server has embedded. There may be more. */
    name: string;
    /** Including what requests in progress may add; for ten minutes also what a server process that died may have added. */
    used: number;
    /** Null: there is none. */
    limit: number | null;
    /**
     * After which it counts anew, in UTC. `none`: it is what the account has now.
     * @enum {string}
     */
    window: "none" | "day" | "month";
    /** When something was first refused in this window, because it needs more than is left; null if nothing was, or the window is `none`. */
    spent_at: string | null;
}
/**
 * @example {
 *       "type": "user.blocked",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "kind": "chat",
 *         "conversation_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "assistant_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f"
 *       }
 *     }
 */
export interface UserBlockedEvent {
    /** @constant */
    type: "user.blocked";
    /** Format: date-time */
    timestamp: string;
    data: {
        /**
         * What `conversation_id` is the id of.
         * @enum {string}
         */
        kind: "chat" | "ticket" | "email";
        /** Format: uuid */
        conversation_id: string;
        /**
         * Format: uuid
         * The chatbot, ticket form or email inbox.
         */
        assistant_id: string;
    };
}
/**
 * @example {
 *       "type": "user.unblocked",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "kind": "chat",
 *         "conversation_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "assistant_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f"
 *       }
 *     }
 */
export interface UserUnblockedEvent {
    /** @constant */
    type: "user.unblocked";
    /** Format: date-time */
    timestamp: string;
    data: {
        /**
         * What `conversation_id` is the id of.
         * @enum {string}
         */
        kind: "chat" | "ticket" | "email";
        /** Format: uuid */
        conversation_id: string;
        /**
         * Format: uuid
         * The chatbot, ticket form or email inbox.
         */
        assistant_id: string;
    };
}
/**
 * @example {
 *       "name": "Ann",
 *       "email": "ann@example.com",
 *       "user_id": "u-4711",
 *       "verified": true
 *     }
 */
export interface Visitor {
    /** Null if it is unknown. */
    name: string | null;
    /** Null if it is unknown. */
    email: string | null;
    /** The visitor's id on the page. Null if it is unknown. */
    user_id: string | null;
    /** Whether the page vouches for all of this; otherwise the visitor says so. */
    verified: boolean;
}
/**
 * @example {
 *       "type": "visitor.identified",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "chat_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "chatbot_id": "8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f",
 *         "verified": true
 *       }
 *     }
 */
export interface VisitorIdentifiedEvent {
    /** @constant */
    type: "visitor.identified";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** Format: uuid */
        chat_id: string;
        /** Format: uuid */
        chatbot_id: string;
        /** The page vouches for it. */
        verified: boolean;
    };
}
/** @enum {string} */
export type VoteKind = "up" | "down";
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "url": "https://www.example.com/parley",
 *       "events": [
 *         "ticket.opened",
 *         "email.opened"
 *       ],
 *       "enabled": true,
 *       "created_at": "2026-03-01T09:30:00.000Z",
 *       "disabled_because": null
 *     }
 */
export interface Webhook {
    id: string;
    url: string;
    events: string[];
    enabled: boolean;
    /** Format: date-time */
    created_at: string;
    /** Why it is disabled; null while it is enabled. */
    disabled_because: string | null;
}
/**
 * @example {
 *       "id": "5b1f3c62-7a0e-8d4b-9c1a-2e3f4a5b6c7d",
 *       "event_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *       "type": "ticket.opened",
 *       "state": "retrying",
 *       "attempts": 2,
 *       "status": 503,
 *       "milliseconds": 41,
 *       "reason": "It answered 503.",
 *       "created_at": "2026-03-01T09:30:00.000Z",
 *       "attempted_at": "2026-03-01T09:30:05.000Z",
 *       "next_attempt_at": "2026-03-01T09:30:25.000Z"
 *     }
 */
export interface WebhookDelivery {
    id: string;
    /** The `webhook-id` of its messages, the same in every attempt. */
    event_id: string;
    type: string;
    state: WebhookDeliveryState;
    attempts: number;
    /** Of the response to the last attempt; null if there was none. */
    status: number | null;
    /** How long the last attempt took. */
    milliseconds: number;
    /** Why the last attempt failed; null if it did not. */
    reason: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    attempted_at: string;
    next_attempt_at: string | null;
}
/**
 * @example {
 *       "items": [
 *         {
 *           "id": "5b1f3c62-7a0e-8d4b-9c1a-2e3f4a5b6c7d",
 *           "event_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *           "type": "ticket.opened",
 *           "state": "retrying",
 *           "attempts": 2,
 *           "status": 503,
 *           "milliseconds": 41,
 *           "reason": "It answered 503.",
 *           "created_at": "2026-03-01T09:30:00.000Z",
 *           "attempted_at": "2026-03-01T09:30:05.000Z",
 *           "next_attempt_at": "2026-03-01T09:30:25.000Z"
 *         }
 *       ],
 *       "total": 1,
 *       "has_more": false
 *     }
 */
export interface WebhookDeliveryPage {
    items: WebhookDelivery[];
    /** The number of items that match the filter. */
    total: number;
    has_more: boolean;
    /** Present when has_more is true. */
    next_cursor?: string;
}
/** @enum {string} */
export type WebhookDeliveryState = "delivered" | "retrying" | "failed";
/**
 * @example {
 *       "type": "webhook.disabled",
 *       "timestamp": "2026-03-01T09:30:00.000Z",
 *       "data": {
 *         "webhook_id": "3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34",
 *         "reason": "gone"
 *       }
 *     }
 */
export interface WebhookDisabledEvent {
    /** @constant */
    type: "webhook.disabled";
    /** Format: date-time */
    timestamp: string;
    data: {
        /** Format: uuid */
        webhook_id: string;
        /** @enum {string} */
        reason: "gone" | "failing";
    };
}
/**
 * @example {
 *       "items": [
 *         {
 *           "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *           "url": "https://www.example.com/parley",
 *           "events": [
 *             "ticket.opened",
 *             "email.opened"
 *           ],
 *           "enabled": true,
 *           "created_at": "2026-03-01T09:30:00.000Z",
 *           "disabled_because": null
 *         }
 *       ],
 *       "total": 1,
 *       "has_more": false
 *     }
 */
export interface WebhookPage {
    items: Webhook[];
    /** The number of items that match the filter. */
    total: number;
    has_more: boolean;
    /** Present when has_more is true. */
    next_cursor?: string;
}
/**
 * @example {
 *       "id": "01890a5d-ac96-474b-8cce-b302099a8057",
 *       "url": "https://www.example.com/parley",
 *       "events": [
 *         "ticket.opened",
 *         "email.opened"
 *       ],
 *       "enabled": true,
 *       "created_at": "2026-03-01T09:30:00.000Z",
 *       "disabled_because": null,
 *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
 *     }
 */
export interface WebhookWithSecret {
    id: string;
    url: string;
    events: string[];
    enabled: boolean;
    /** Format: date-time */
    created_at: string;
    /** Why it is disabled; null while it is enabled. */
    disabled_because: string | null;
    /** What its messages are signed with, as Standard Webhooks writes it; shown only this once. */
    secret: string;
}
/**
 * The response to every request that fails.
 * @example {
 *       "success": false,
 *       "message": "title is required."
 *     }
 */
export interface Failure {
    /** @constant */
    success: false;
    /** A sentence that names the field, the scope or the resource. */
    message: string;
}
export interface operations {
    listApiKeys: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: ApiKeyPage;
                    };
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateApiKeyRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: CreatedApiKey;
                    };
                };
            };
        };
    };
    listChatbots: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Chatbot[];
                    };
                };
            };
        };
    };
    createChatbot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateChatbotRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Chatbot;
                    };
                };
            };
        };
    };
    listEmailInboxes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: EmailInbox[];
                    };
                };
            };
        };
    };
    createEmailInbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateEmailInboxRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: EmailInbox;
                    };
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
                /** Only events of these types, which are the names of the `webhooks` of this description; comma-separated. Repeated parameters are joined. */
                types?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: EventPage;
                    };
                    /**
                     * @example event: ready
                     *     data: {}
                     *
                     *     id: 1042
                     *     event: event
                     *     data: {"id":"5c0f4c1e-0b9a-4d5e-8f3a-1b2c3d4e5f60","number":1042,"type":"ticket.opened","version":1,"resource_id":"3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34","timestamp":"2026-03-01T09:30:00.000Z","data":{"ticket_id":"3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34","ticket_form_id":"8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f"}}
                     *
                     *     event: done
                     *     data: {"items":[{"id":"5c0f4c1e-0b9a-4d5e-8f3a-1b2c3d4e5f60","number":1042,"type":"ticket.opened","version":1,"resource_id":"3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34","timestamp":"2026-03-01T09:30:00.000Z","data":{"ticket_id":"3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34","ticket_form_id":"8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f"}}],"total":1,"has_more":false,"next_cursor":"bmV4dA"}
                     */
                    "text/event-stream": string;
                };
            };
        };
    };
    listKnowledge: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: KnowledgeItemPage;
                    };
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Me;
                    };
                };
            };
        };
    };
    listPersonas: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: PersonaPage;
                    };
                };
            };
        };
    };
    createPersona: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreatePersonaRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Persona;
                    };
                };
            };
        };
    };
    listTicketForms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: TicketForm[];
                    };
                };
            };
        };
    };
    createTicketForm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateTicketFormRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: TicketForm;
                    };
                };
            };
        };
    };
    listUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Usage[];
                    };
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: WebhookPage;
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateWebhookRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: WebhookWithSecret;
                    };
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: {
                /** Leave the keys that it created as they are. */
                keep_created?: boolean;
            };
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: RevokedApiKey;
                    };
                };
            };
        };
    };
    getChatbot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Chatbot;
                    };
                };
            };
        };
    };
    deleteChatbot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Chatbot;
                    };
                };
            };
        };
    };
    updateChatbot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": UpdateChatbotRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Chatbot;
                    };
                };
            };
        };
    };
    getEmailInbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: EmailInbox;
                    };
                };
            };
        };
    };
    deleteEmailInbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: EmailInbox;
                    };
                };
            };
        };
    };
    updateEmailInbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": UpdateEmailInboxRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: EmailInbox;
                    };
                };
            };
        };
    };
    getKnowledge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: KnowledgeItem;
                    };
                };
            };
        };
    };
    deleteKnowledge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: KnowledgeIdentity;
                    };
                };
            };
        };
    };
    updateKnowledge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": UpdateKnowledgeRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: KnowledgeItem;
                    };
                };
            };
        };
    };
    createDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateDocumentRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: CreatedDocument;
                    };
                };
            };
        };
    };
    createFaq: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateFaqRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: KnowledgeIdentity;
                    };
                };
            };
        };
    };
    createVideo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateVideoRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: CreatedVideo;
                    };
                };
            };
        };
    };
    createWebsite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateWebsiteRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: KnowledgeIdentity;
                    };
                };
            };
        };
    };
    deletePersona: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Persona;
                    };
                };
            };
        };
    };
    getTicketForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: TicketForm;
                    };
                };
            };
        };
    };
    deleteTicketForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: TicketForm;
                    };
                };
            };
        };
    };
    updateTicketForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": UpdateTicketFormRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: TicketForm;
                    };
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Webhook;
                    };
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": UpdateWebhookRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Webhook;
                    };
                };
            };
        };
    };
    listChats: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
                /** ISO 8601, or any other date that can be parsed. Without a zone it is UTC; exclusive. */
                created_before?: string;
                /** ISO 8601, or any other date that can be parsed. Without a zone it is UTC; exclusive. */
                created_after?: string;
                /** Only chats with such a vote. */
                vote?: string;
                /** Only chats of visitors who are verified, or of those who are not. */
                verified?: string;
            };
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: ChatPage;
                    };
                };
            };
        };
    };
    getEmbed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Embed;
                    };
                };
            };
        };
    };
    createIdentitySecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: IdentitySecret;
                    };
                };
            };
        };
    };
    listKnowledgeOfChatbot: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: KnowledgeItemPage;
                    };
                };
            };
        };
    };
    attachKnowledgeToChatbot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": KnowledgeReference;
            };
        };
        responses: {
            /** Success, without `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    detachKnowledgeFromChatbot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": KnowledgeReference;
            };
        };
        responses: {
            /** Success, without `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    askChatbot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": AskChatbotRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Reply;
                    };
                    /**
                     * @example event: sources
                     *     data: [{"n":1,"title":"Opening hours","url":"https://www.example.com/hours"}]
                     *
                     *     event: token
                     *     data: {"text":"From nine to five. [1]"}
                     *
                     *     event: done
                     *     data: {"id":"01890a5d-ac96-474b-8cce-b302099a8057","session_id":"01890a5d-b1c2-4e1f-9d3a-5b6c7d8e9f01","message":"From nine to five. [1]\n\nSources:\n[1] Opening hours - https://www.example.com/hours","sources":[{"n":1,"title":"Opening hours","url":"https://www.example.com/hours"}],"confidence":"high"}
                     */
                    "text/event-stream": string;
                };
            };
        };
    };
    listEmails: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
                /** ISO 8601, or any other date that can be parsed. Without a zone it is UTC; exclusive. */
                created_before?: string;
                /** ISO 8601, or any other date that can be parsed. Without a zone it is UTC; exclusive. */
                created_after?: string;
                /** Comma-separated: open, assigned, need_more_info, resolved, closed, in any case. Repeated parameters are joined. */
                status?: string;
            };
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: EmailPage;
                    };
                };
            };
        };
    };
    listKnowledgeOfEmailInbox: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: KnowledgeItemPage;
                    };
                };
            };
        };
    };
    attachKnowledgeToEmailInbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": KnowledgeReference;
            };
        };
        responses: {
            /** Success, without `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    detachKnowledgeFromEmailInbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": KnowledgeReference;
            };
        };
        responses: {
            /** Success, without `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    createFaqItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateFaqItemRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: CreatedFaqItem;
                    };
                };
            };
        };
    };
    listFaqItems: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: FaqItemPage;
                    };
                };
            };
        };
    };
    getDocumentFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "application/msword": string;
                    "text/plain": string;
                    "text/csv": string;
                };
            };
        };
    };
    finalizeDocumentByGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: FinalizedDocument;
                    };
                };
            };
        };
    };
    finalizeDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: FinalizedDocument;
                    };
                };
            };
        };
    };
    listSources: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: KnowledgeSourcePage;
                    };
                };
            };
        };
    };
    listSubPages: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: SubPagePage;
                    };
                };
            };
        };
    };
    trainKnowledge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: KnowledgeItem;
                    };
                };
            };
        };
    };
    uploadDocument: {
        parameters: {
            query: {
                /** As it is in `upload_url`. */
                account: string;
                /** As it is in `upload_url`. */
                expires: string;
                /** As it is in `upload_url`. */
                signature: string;
            };
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** Success, without `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    listKnowledgeOfTicketForm: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: KnowledgeItemPage;
                    };
                };
            };
        };
    };
    attachKnowledgeToTicketForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": KnowledgeReference;
            };
        };
        responses: {
            /** Success, without `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    detachKnowledgeFromTicketForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": KnowledgeReference;
            };
        };
        responses: {
            /** Success, without `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    listTickets: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
                /** ISO 8601, or any other date that can be parsed. Without a zone it is UTC; exclusive. */
                created_before?: string;
                /** ISO 8601, or any other date that can be parsed. Without a zone it is UTC; exclusive. */
                created_after?: string;
                /** Comma-separated: open, assigned, need_more_info, resolved, closed, in any case. Repeated parameters are joined. */
                status?: string;
            };
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: TicketPage;
                    };
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
                state?: "delivered" | "retrying" | "failed";
            };
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: WebhookDeliveryPage;
                    };
                };
            };
        };
    };
    redeliverEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": RedeliverEventsRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Webhook;
                    };
                };
            };
        };
    };
    renewWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: WebhookWithSecret;
                    };
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: WebhookDelivery;
                    };
                };
            };
        };
    };
    getChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: ChatWithConversation;
                    };
                };
            };
        };
    };
    getEmail: {
        parameters: {
            query?: {
                /** Whether to show what messages that came by mail repeat of earlier ones. False by default. */
                quoted?: "true" | "false";
            };
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
                /** The id, a UUID. */
                email_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: EmailWithConversation;
                    };
                };
            };
        };
    };
    updateEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
                /** The id, a UUID. */
                email_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": StatusUpdate;
            };
        };
        responses: {
            /** Success, without `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    deleteFaqItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
                /** The id, a UUID. */
                faq_item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: DeletedFaqItem;
                    };
                };
            };
        };
    };
    getTicket: {
        parameters: {
            query?: {
                /** Whether to show what messages that came by mail repeat of earlier ones. False by default. */
                quoted?: "true" | "false";
            };
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                ticket_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: TicketWithConversation;
                    };
                };
            };
        };
    };
    updateTicket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                ticket_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": StatusUpdate;
            };
        };
        responses: {
            /** Success, without `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    blockChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: BlockResult;
                    };
                };
            };
        };
    };
    unblockChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: BlockResult;
                    };
                };
            };
        };
    };
    listChatEvidence: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: EvidencePage;
                    };
                };
            };
        };
    };
    setEmailAi: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
                /** The id, a UUID. */
                email_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": SetEmailAiRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: ThreadAi;
                    };
                };
            };
        };
    };
    blockEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
                /** The id, a UUID. */
                email_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: BlockResult;
                    };
                };
            };
        };
    };
    unblockEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
                /** The id, a UUID. */
                email_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: BlockResult;
                    };
                };
            };
        };
    };
    getEmailDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
                /** The id, a UUID. */
                email_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Draft;
                    };
                };
            };
        };
    };
    changeEmailDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
                /** The id, a UUID. */
                email_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ChangeEmailDraftRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Draft;
                    };
                };
            };
        };
    };
    discardEmailDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
                /** The id, a UUID. */
                email_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, without `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    listEmailEvidence: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
                /** The id, a UUID. */
                email_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: EvidencePage;
                    };
                };
            };
        };
    };
    listEmailChanges: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
                /** The id, a UUID. */
                email_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: ChangePage;
                    };
                };
            };
        };
    };
    getRawEmail: {
        parameters: {
            query?: {
                /** The id of the message; that of the first one that came by mail if absent. */
                message_id?: string;
            };
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
                /** The id, a UUID. */
                email_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "message/rfc822": string;
                };
            };
        };
    };
    replyToEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
                /** The id, a UUID. */
                email_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ReplyToEmailRequest;
            };
        };
        responses: {
            /** Success, without `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    setTicketAi: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                ticket_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": SetTicketAiRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: ThreadAi;
                    };
                };
            };
        };
    };
    blockTicket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                ticket_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: BlockResult;
                    };
                };
            };
        };
    };
    unblockTicket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                ticket_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: BlockResult;
                    };
                };
            };
        };
    };
    getTicketDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                ticket_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Draft;
                    };
                };
            };
        };
    };
    changeTicketDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                ticket_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ChangeTicketDraftRequest;
            };
        };
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Draft;
                    };
                };
            };
        };
    };
    discardTicketDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                ticket_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, without `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    listTicketEvidence: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                ticket_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: EvidencePage;
                    };
                };
            };
        };
    };
    listTicketChanges: {
        parameters: {
            query?: {
                /** Items per page; 25 by default. */
                limit?: number;
                /** The `next_cursor` of the previous page. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                ticket_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: ChangePage;
                    };
                };
            };
        };
    };
    revokeTicketLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                ticket_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, without `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    getRawTicketMail: {
        parameters: {
            query?: {
                /** The id of the message; that of the first one that came by mail if absent. */
                message_id?: string;
            };
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                ticket_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "message/rfc822": string;
                };
            };
        };
    };
    replyToTicket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                ticket_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ReplyToTicketRequest;
            };
        };
        responses: {
            /** Success, without `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    redeliverEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id, a UUID. */
                id: string;
                /** The id, a UUID. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, with the result in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: WebhookDelivery;
                    };
                };
            };
        };
    };
    getEmailAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
                /** The id, a UUID. */
                email_id: string;
                /** The id, a UUID. */
                attachment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    sendEmailDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal id or the alias. */
                id: string;
                /** The id, a UUID. */
                email_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, without `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    getTicketAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                ticket_id: string;
                /** The id, a UUID. */
                attachment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    sendTicketDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The internal or the public id. */
                id: string;
                /** The id, a UUID. */
                ticket_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success, without `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    onChatBegun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ChatBegunEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTicketOpened: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": TicketOpenedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailOpened: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": EmailOpenedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageReceived: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": MessageReceivedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageWritten: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": MessageWrittenEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAnswerGiven: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": AnswerGivenEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAnswerNotFound: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": AnswerNotFoundEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAnswerFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": AnswerFailedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageVoted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": MessageVotedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onVisitorIdentified: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": VisitorIdentifiedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDraftMade: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": DraftMadeEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMailSent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": MailSentEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMailFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": MailFailedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onStatusChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": StatusChangedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPriorityChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": PriorityChangedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUserBlocked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": UserBlockedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUserUnblocked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": UserUnblockedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTrainingQueued: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": TrainingQueuedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTrainingFinished: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": TrainingFinishedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTrainingFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": TrainingFailedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onKnowledgeCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": KnowledgeCreatedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onKnowledgeChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": KnowledgeChangedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onKnowledgeDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": KnowledgeDeletedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAssistantCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": AssistantCreatedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAssistantChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": AssistantChangedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAssistantDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": AssistantDeletedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onKeyCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": KeyCreatedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onKeyRevoked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": KeyRevokedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onQuotaNear: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": QuotaNearEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onQuotaReached: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": QuotaReachedEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookDisabled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": WebhookDisabledEvent;
            };
        };
        responses: {
            /** Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
