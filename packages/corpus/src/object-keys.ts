/** Where the objects of an account are: all that a delete removes stands under one prefix. */

/** The prefix of all objects of an account. */
export const accountPrefix = (account: string): string => `accounts/${account}/`;
/** The prefix of a knowledge item's objects; each build has its own folder under it. */
export const itemPrefix = (account: string, item: string): string => `${accountPrefix(account)}knowledge/${item}/`;
export const uploadKey = (account: string, item: string, upload: string): string =>
  `${itemPrefix(account, item)}uploads/${upload}.bin`;
/** Each upload of a transcript has a key of its own, so that none is deleted while another one is stored. */
export const transcriptKey = (account: string, item: string, upload: string): string =>
  `${itemPrefix(account, item)}transcripts/${upload}.txt`;
/** The file of a build, named like `buildId`. */
export const buildFileKey = (account: string, build: string): string => {
  const [item, fence] = build.split(':');
  return `${buildPrefix(account, item!, Number(fence))}build.sqlite`;
};
export const buildPrefix = (account: string, item: string, fence: number): string =>
  `${itemPrefix(account, item)}builds/${fence}/`;
