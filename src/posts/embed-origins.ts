/** The origins of players and other frames that a post may show. The script that opens them has this list, too. */
export const embedOrigins = [
  'https://www.youtube-nocookie.com',
  'https://player.vimeo.com',
  'https://www.loom.com',
  'https://platform.twitter.com',
  'https://embed.bsky.app',
  'https://open.spotify.com',
  'https://w.soundcloud.com',
  'https://codepen.io',
  'https://codesandbox.io',
  'https://stackblitz.com',
  'https://gist.github.com',
  'https://embed.figma.com',
  'https://www.google.com',
  'https://www.openstreetmap.org',
] as const

export type EmbedOrigin = (typeof embedOrigins)[number]

/** Mastodon has any number of servers: its posts are known by their path. */
const mastodonPlayer = /^\/@\w+\/\d{5,20}\/embed$/

/** Whether a page may show the address in a frame. */
export const mayBeFramed = ({ protocol, origin, pathname }: URL): boolean =>
  protocol === 'https:' && (embedOrigins.some((known) => known === origin) || mastodonPlayer.test(pathname))
