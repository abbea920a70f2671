declare module 'jschardet' {
  export function detect(bytes: Uint8Array): { encoding: string | null; confidence: number };
}
