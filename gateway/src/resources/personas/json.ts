import type { Persona } from '@parley/proto/auth/v1/auth_service_pb';
import { z } from 'zod';

export const persona = z.object({ id: z.string(), name: z.string(), image_url: z.string().nullable() }).meta({
  id: 'Persona',
  examples: [{ id: '01890a5d-ac96-474b-8cce-b302099a8057', name: 'Ada', image_url: 'https://www.example.com/ada.png' }],
});

export const personaJson = ({ id, name, imageUrl }: Persona): z.input<typeof persona> => ({
  id,
  name,
  image_url: imageUrl ?? null,
});
