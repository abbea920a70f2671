import { once } from 'node:events';
import http from 'node:http';

/** An upload whose client pauses before the last byte, which is a full stop. */
export function pausedUpload(url: string, text: string) {
  const request = http.request(url, { method: 'PUT' });
  const answered = once(request, 'response').then(([response]) => {
    response.resume();
    return response.statusCode as number;
  });
  request.write(text);
  return {
    finish: () => void request.end('.'),
    /** The status; rejects if the connection breaks off. */
    answered,
  };
}
