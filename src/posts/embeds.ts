/** Content of another site that a post loads once a reader requests it. */
export interface Embed {
  /** The address of the page on the other site, for readers without scripts. */
  address: string
  /** The address that is loaded into a frame on a click. */
  player: string
  title: string
  from: string
}

/** The only sites whose frames are allowed; the content security policy of the pages lists the same. */
export const players = [
  {
    from: 'YouTube',
    origin: 'https://www.youtube-nocookie.com',
    hosts: ['www.youtube.com', 'youtube.com', 'm.youtube.com', 'youtu.be', 'www.youtube-nocookie.com'],
    page: (id: string) => `https://www.youtube.com/watch?v=${id}`,
    player: (id: string) => `https://www.youtube-nocookie.com/embed/${id}?autoplay=1`,
    id: ({ hostname, pathname, searchParams }: URL) =>
      searchParams.get('v') ?? (hostname === 'youtu.be' ? pathname.slice(1) : (pathname.split('/')[2] ?? '')),
    isId: /^[\w-]{6,20}$/,
  },
  {
    from: 'Vimeo',
    origin: 'https://player.vimeo.com',
    hosts: ['vimeo.com', 'www.vimeo.com', 'player.vimeo.com'],
    page: (id: string) => `https://vimeo.com/${id}`,
    player: (id: string) => `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1`,
    id: ({ pathname }: URL) => pathname.split('/').findLast((part) => /^\d+$/.test(part)) ?? '',
    isId: /^\d{4,14}$/,
  },
] as const

/** Returns undefined for any other site. */
export function embedAt(address: string, title: string): Embed | undefined {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  for (const { from, hosts, id, isId, page, player } of players) {
    const ownPlayer = id(url)
    if (hosts.some((host) => host === url.hostname) && isId.test(ownPlayer))
      return { address: page(ownPlayer), player: player(ownPlayer), title: title || from, from }
  }
  return undefined
}
