/** The contract's resources, as clients see them. */

export interface Page<T> {
  items: T[];
  total: number;
  has_more: boolean;
  next_cursor?: string;
}

export interface KnowledgeItem {
  id: string;
  type: string;
  base_url?: string;
  include?: string[];
  exclude?: string[];
  retrain_every?: number | null;
  title?: string;
  description?: string | null;
  trained_at: string | null;
  is_training: boolean;
  training_failed_at: string | null;
  training_failed_with: string | null;
  live_since: string | null;
  training?: { state: string; sources_found: number; sources_done: number; chunks: number };
  training_notes: string[];
}

export interface SubPage {
  page_url: string;
  trained_at: string | null;
  training_failed_at: string | null;
  training_failed_with: string | null;
  training_note: string | null;
  state: 'trained' | 'failed';
  reason: string | null;
  bytes: number | null;
  chunks: number;
  title: string | null;
  kept: number | null;
}

/** A source of a knowledge item of any type. */
export interface Source extends Pick<SubPage, 'state' | 'reason' | 'bytes' | 'chunks' | 'title' | 'kept'> {
  type: 'page' | 'part' | 'transcript' | 'faq_item';
  name: string;
  faq_item_id: string | null;
  trained_at: string | null;
  training_failed_at: string | null;
}

export interface FaqItem {
  id: string;
  question: string;
  answer: { version: string; time: number; blocks: { id: string; type: string; data: { text: string } }[] };
  source_url: string | null;
  categories: string[];
}

/** Extensions, present once one of them has been set. */
export interface AnswerSettings {
  greeting?: string | null;
  tone?: string | null;
  no_evidence_message?: string | null;
  low_confidence_message?: string | null;
  faq_first?: boolean;
}

export interface Chatbot extends AnswerSettings {
  id: string;
  public_id: string;
  title: string;
  allowed_domains: string[];
  /** Extensions, present once one of them has been set. */
  suggestions?: string[];
  colour?: string | null;
  ticket_form_id?: string | null;
  visitor_messages_per_day?: number | null;
}

export interface Reply {
  id: string;
  session_id: string;
  message: string;
  sources: { n: number; title: string; url: string | null }[];
  confidence: 'high' | 'low' | null;
}

export interface Chat {
  id: string;
  session_id: string;
  created_at: string;
  updated_at: string;
  visitor: { name: string | null; email: string | null; user_id: string | null; verified: boolean } | null;
  votes: { message_id: string; vote: 'up' | 'down'; reason: string | null; at: string }[];
  conversation: { role: string; message: string }[];
}

export interface ApiKey {
  id: string;
  name: string;
  scopes: string[];
  restricted: boolean;
  key: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  created_by: { id: string; name: string } | null;
}

export interface FormField {
  id: string;
  name: string;
  type: string;
  required: boolean;
  defaultSelectValues?: { value: string; label: string }[];
}

export interface TicketForm extends AnswerSettings {
  id: string;
  public_id: string;
  title: string;
  allowed_domains: string[];
  fields: FormField[];
}

export interface EmailInbox extends AnswerSettings {
  id: string;
  alias: string;
  title: string;
  description?: string;
}

/** A ticket or an email. */
export interface Thread {
  id: string;
  status: string;
  priority: string;
  created_at: string;
  updated_at: string;
  /** Only of emails. */
  subject?: string;
  from_email?: string;
  /** Only when read by itself. */
  conversation?: {
    role: string;
    message: string;
    delivery?: { state: string; reason?: string | null };
    attachments?: { id: string; name: string; type: string; size: number }[];
    mail?: { id: string; attachments: { id: string }[]; [verdict: string]: unknown };
  }[];
  /** State of the AI for the newest message. */
  ai: string;
}

/** An answer that waits for its owner. */
export interface Draft {
  message: string;
  confidence: string | null;
  sources: { n: number; title: string; url: string | null }[];
  created_at: string;
}

export interface Change {
  at: string;
  by: string;
  field: string;
  from: string;
  to: string;
}

export interface Evidence {
  entry: string;
  outcome: string;
  confidence: 'high' | 'low' | null;
  answerer: string;
  offered: { knowledge_id: string; title: string; url: string | null; score: number }[];
  cited: number[];
}

export interface Blocked {
  items: { target: string; targetType: string; status: string }[];
  failed: unknown[];
}

export interface Persona {
  id: string;
  name: string;
  image_url: string | null;
}

export interface NewDocument {
  id: string;
  upload_url: string;
}

export interface Usage {
  name: string;
  used: number;
  limit: number | null;
  window: 'none' | 'day' | 'month';
  spent_at: string | null;
}
