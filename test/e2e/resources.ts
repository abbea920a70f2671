/** The resources of the contract, as a client sees them. */

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
  title?: string;
  description?: string | null;
  trained_at: string | null;
  is_training: boolean;
  training_failed_at: string | null;
  training_failed_with: string | null;
  live_since: string | null;
  training?: { state: string; sources_found: number; sources_done: number; chunks: number };
}

export interface SubPage {
  page_url: string;
  trained_at: string | null;
  training_failed_at: string | null;
  training_failed_with: string | null;
}

export interface FaqItem {
  id: string;
  question: string;
  answer: { version: string; time: number; blocks: { id: string; type: string; data: { text: string } }[] };
  source_url: string | null;
  categories: string[];
}

export interface Chatbot {
  id: string;
  public_id: string;
  title: string;
  allowed_domains: string[];
}

export interface Reply {
  id: string;
  session_id: string;
  message: string;
  sources: { n: number; title: string; url: string | null }[];
}

export interface Chat {
  id: string;
  session_id: string;
  created_at: string;
  updated_at: string;
  conversation: { role: string; message: string }[];
}

export interface ApiKey {
  id: string;
  name: string;
  scopes: string[];
  key: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}
