import { z } from 'zod';
import { webAddress } from '../../fields/text.ts';
import { route } from '../../route.ts';
import { WRITES_KNOWLEDGE } from '../../scopes.ts';
import { createdVideo, knowledgeIdentityJson } from '../knowledge/json.ts';

export const createVideo = route({
  method: 'POST',
  path: '/knowledge/video',
  summary: 'Create a knowledge item of a video',
  scope: 'any key',
  restricted: WRITES_KNOWLEDGE,
  body: z
    .object({
      video_url: webAddress.meta({ description: 'A link to a YouTube video, of any form.' }),
      video_type: z.enum(['YOUTUBE']),
    })
    .meta({ examples: [{ video_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', video_type: 'YOUTUBE' }] }),
  response: createdVideo,
  call: ({ body }, { knowledge }) => knowledge.createVideo({ videoUrl: body.video_url }),
  toJson: ({ item }, context) => knowledgeIdentityJson(item!, context) as z.input<typeof createdVideo>,
});
