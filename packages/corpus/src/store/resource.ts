/** The counted resources of an account's knowledge. */
export type Resource = 'items' | 'faq_items' | 'files' | 'bytes' | 'chunks' | 'index_bytes';
