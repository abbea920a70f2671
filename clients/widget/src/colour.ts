/** The owner's colour, made fit to read. */
export interface Theme {
  /** Behind text: buttons, the visitor's messages. */
  accent: string;
  /** Text on it. */
  onAccent: string;
  /** The colour as text on white and on greys. */
  ink: string;
}

type Rgb = readonly [number, number, number];

const DEFAULT = '#2f5bea';
const WHITE: Rgb = [255, 255, 255];
/** The darkest of the surfaces that text in the colour stands on; as in the style sheets. */
const SURFACE: Rgb = [223, 228, 236];
/** WCAG 2.2, 1.4.3. */
const READABLE = 4.5;
/** From here on a darker shade is still recognised as the colour; brighter ones get black text. */
const NEARLY = 2.9;
const DARKER = 0.96;

/** A theme whose every pair of text and background has a contrast of at least 4.5 to 1. */
export function themeOf(colour: string | null | undefined): Theme {
  const chosen = parse(colour) ?? parse(DEFAULT)!;
  const ink = darkened(chosen, SURFACE);
  if (contrast(chosen, WHITE) < NEARLY) return { accent: hex(chosen), onAccent: '#000000', ink: hex(ink) };
  return { accent: hex(darkened(chosen, WHITE)), onAccent: '#ffffff', ink: hex(ink) };
}

function darkened(colour: Rgb, background: Rgb): Rgb {
  let [r, g, b] = colour;
  while (contrast([r, g, b], background) < READABLE)
    [r, g, b] = [r, g, b].map((channel) => Math.floor(channel * DARKER)) as [number, number, number];
  return [r, g, b];
}

/** WCAG's contrast ratio, 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** `#rrggbb` only. */
export function parse(colour: string | null | undefined): Rgb | undefined {
  const channels = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour ?? '');
  return channels ? (channels.slice(1).map((channel) => Number.parseInt(channel, 16)) as unknown as Rgb) : undefined;
}

const hex = (colour: Rgb): string => `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;

/** Gives an element, and what is in it, the colours of a theme. */
export function paint(element: HTMLElement, colour: string | null | undefined): void {
  for (const [name, value] of Object.entries(themeOf(colour))) element.style.setProperty(`--${name}`, value);
}
