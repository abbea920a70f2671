import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** How the double answers; tests change it. */
export interface Playing {
  title: string;
  description: string;
  playability: { status: string; reason?: string; subreason?: string };
  details: object;
  /** By language and kind, in YouTube's order: `en`, `en asr`. The first is YouTube's choice. */
  tracks: Record<string, string>;
  /** Apps that are taken for a robot. */
  robots: string[];
  /** Instead of all that. */
  answer: { status: number; body?: string; location?: string } | undefined;
}

export const VTT = `WEBVTT
Kind: captions
Language: en

00:00:01.000 --> 00:00:04.000
Rye is sown in autumn.

00:01:05.500 --> 00:01:09.000
The mill grinds it between two stones.

00:02:10.000 --> 00:02:14.000
Bread is baked at dawn.
`;

const ORDINARY = (): Playing => ({
  title: 'From rye to bread',
  description: 'A film.\n0:00 The field\n1:05 The mill\n2:00 The bakery\n',
  playability: { status: 'OK' },
  details: {},
  tracks: { en: VTT },
  robots: [],
  answer: undefined,
});

/** A double of YouTube on loopback; its answers have the shape of recorded ones. */
export async function youTubeServer() {
  const state = { playing: ORDINARY(), requests: [] as string[] };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://youtube');
    const { playing } = state;
    if (url.pathname === '/youtubei/v1/player' && request.method === 'POST') {
      const { videoId, context } = (await json(request)) as { videoId: string; context: { client: Client } };
      const { clientName } = context.client;
      state.requests.push(`player ${videoId} as ${clientName}`);
      if (!playing.answer) return response.end(JSON.stringify(playerResponse(videoId, clientName, playing)));
      const { status, body = '', location } = playing.answer;
      return response.writeHead(status, location ? { location } : {}).end(body);
    }
    state.requests.push(`${request.method} ${url.pathname}`);
    const { lang, kind, fmt } = Object.fromEntries(url.searchParams);
    const track = playing.tracks[[lang, kind].filter(Boolean).join(' ')];
    if (url.pathname !== '/api/timedtext' || fmt !== 'vtt' || track === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': 'text/vtt; charset=UTF-8' }).end(track);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    state,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reset() {
      state.playing = ORDINARY();
      state.requests = [];
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Client {
  clientName: string;
}

function playability({ subreason, ...short }: Playing['playability']) {
  if (subreason === undefined) return short;
  const thumbnail = { thumbnails: [{ url: '//s.ytimg.com/x.png', width: 140, height: 100 }] };
  const said = { reason: { simpleText: short.reason }, subreason: { runs: [{ text: subreason }] } };
  return {
    ...short,
    errorScreen: { playerErrorMessageRenderer: { ...said, thumbnail, icon: { iconType: 'ERROR_OUTLINE' } } },
  };
}

function playerResponse(videoId: string, clientName: string, { tracks, ...playing }: Playing) {
  const isRobot = playing.robots.includes(clientName);
  const playabilityStatus = isRobot
    ? { status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm you’re not a bot' }
    : { playableInEmbed: true, ...playability(playing.playability) };
  const captionTracks = Object.keys(tracks).map((track) => {
    const [languageCode, kind] = track.split(' ');
    const query = new URLSearchParams({ v: videoId, lang: languageCode!, ...(kind && { kind }), fmt: 'srv3' });
    return {
      baseUrl: `https://www.youtube.com/api/timedtext?${query}`,
      name: { runs: [{ text: track }] },
      vssId: `${kind ? 'a' : ''}.${languageCode}`,
      languageCode,
      ...(kind && { kind }),
      isTranslatable: true,
      trackName: '',
    };
  });
  const playerCaptionsTracklistRenderer = {
    captionTracks,
    audioTracks: [{ captionTrackIndices: captionTracks.map((_, i) => i), defaultCaptionTrackIndex: 0 }],
    translationLanguages: [{ languageCode: 'af', languageName: { runs: [{ text: 'Afrikaans' }] } }],
    defaultAudioTrackIndex: 0,
  };
  const videoDetails = {
    videoId,
    title: playing.title,
    lengthSeconds: '212',
    channelId: 'UCuAXFkgsw1L7xaCfnd5JJOw',
    isOwnerViewing: false,
    shortDescription: playing.description,
    isCrawlable: true,
    thumbnail: { thumbnails: [{ url: 'https://i.ytimg.com/vi/x/default.jpg', width: 120, height: 90 }] },
    allowRatings: true,
    viewCount: '1',
    author: 'The miller',
    isPrivate: false,
    isUnpluggedCorpus: false,
    isLiveContent: false,
    ...playing.details,
  };
  const isShown = playabilityStatus.status === 'OK' || Object.keys(playing.details).length > 0;
  return {
    responseContext: { visitorData: 'CgtaV0ZQ' },
    playabilityStatus,
    ...(isShown && { videoDetails }),
    ...(isShown && captionTracks.length > 0 && { captions: { playerCaptionsTracklistRenderer } }),
  };
}
