import type { EmbedOrigin } from './embed-origins'

/** Content of another site that a post loads once a reader requests it. */
export interface Embed {
  /** The address of the page on the other site, for readers without scripts. */
  address: string
  /** The address that is loaded into a frame on a click. */
  player: string
  title: string
  /** The name of the other site; of a Mastodon server its host. */
  from: string
  shape: EmbedShape
}

/** The proportions of a frame. `prose.css` has a class for each. */
type EmbedShape = 'video' | 'audio' | 'list' | 'post' | 'work' | 'map'

interface EmbedProvider {
  from: string
  /** The origin of the frame. */
  origin: EmbedOrigin
  /** The hosts of addresses that authors copy. */
  hosts: readonly string[]
  shape: EmbedShape
  /** Returns undefined for an address without content, such as a home page. */
  find: (url: URL) => FoundContent | undefined
}

interface FoundContent {
  /** The path and query of the frame at the origin. */
  player: string
  /** The page for readers, where it differs from the address. */
  page?: string
  shape?: EmbedShape
}

/** Finds content by its path; the groups of the pattern are its parts. */
const byPath =
  (pattern: RegExp, found: (parts: Record<string, string>, url: URL) => FoundContent | undefined) =>
  (url: URL): FoundContent | undefined => {
    const match = pattern.exec(url.pathname)
    return match ? found(match.groups ?? {}, url) : undefined
  }

const withWww = (host: string): string[] => [host, `www.${host}`]

export const embedProviders: readonly EmbedProvider[] = [
  {
    from: 'YouTube',
    origin: 'https://www.youtube-nocookie.com',
    hosts: [...withWww('youtube.com'), 'm.youtube.com', 'youtu.be', 'www.youtube-nocookie.com'],
    shape: 'video',
    find: findYouTube,
  },
  {
    from: 'Vimeo',
    origin: 'https://player.vimeo.com',
    hosts: [...withWww('vimeo.com'), 'player.vimeo.com'],
    shape: 'video',
    find: byPath(/\/(?<id>\d{4,14})(?:\/|$)/, ({ id }) => ({
      player: `/video/${id}?autoplay=1&dnt=1`,
      page: `https://vimeo.com/${id}`,
    })),
  },
  {
    from: 'Loom',
    origin: 'https://www.loom.com',
    hosts: withWww('loom.com'),
    shape: 'video',
    find: byPath(/^\/(?:share|embed)\/(?<id>[\da-f]{32})$/, ({ id }) => ({
      player: `/embed/${id}?autoplay=1`,
      page: `https://www.loom.com/share/${id}`,
    })),
  },
  {
    from: 'X',
    origin: 'https://platform.twitter.com',
    hosts: [...withWww('x.com'), ...withWww('twitter.com'), 'mobile.twitter.com'],
    shape: 'post',
    find: byPath(/^\/(?<name>\w+)\/status\/(?<id>\d{5,20})/, ({ name, id }) => ({
      player: `/embed/Tweet.html?id=${id}&dnt=true`,
      page: `https://x.com/${name}/status/${id}`,
    })),
  },
  {
    from: 'Bluesky',
    origin: 'https://embed.bsky.app',
    hosts: ['bsky.app'],
    shape: 'post',
    find: byPath(/^\/profile\/(?<name>[\w.:-]+)\/post\/(?<id>\w+)$/, ({ name, id }) => ({
      player: `/embed/${name}/app.bsky.feed.post/${id}`,
    })),
  },
  {
    from: 'Spotify',
    origin: 'https://open.spotify.com',
    hosts: ['open.spotify.com'],
    shape: 'audio',
    find: byPath(
      /^\/(?:intl-[\w-]+\/)?(?:embed\/)?(?<kind>track|episode|album|playlist|artist|show)\/(?<id>[\dA-Za-z]{22})$/,
      ({ kind = '', id }) => ({
        player: `/embed/${kind}/${id}`,
        page: `https://open.spotify.com/${kind}/${id}`,
        shape: ['track', 'episode'].includes(kind) ? 'audio' : 'list',
      }),
    ),
  },
  {
    from: 'SoundCloud',
    origin: 'https://w.soundcloud.com',
    hosts: [...withWww('soundcloud.com'), 'm.soundcloud.com'],
    shape: 'audio',
    find: byPath(/^\/(?<name>[\w-]+)\/(?<list>sets\/)?[\w-]+$/, ({ list }, { pathname }) => {
      const page = `https://soundcloud.com${pathname}`
      const player = `/player/?url=${encodeURIComponent(page)}&auto_play=true`
      return { player, page, shape: list ? 'list' : 'audio' }
    }),
  },
  {
    from: 'CodePen',
    origin: 'https://codepen.io',
    hosts: ['codepen.io'],
    shape: 'work',
    find: byPath(
      /^\/(?<name>(?:team\/)?[\w-]+)\/(?:pen|full|details|embed)\/(?<id>[\w-]+)\/?$/,
      ({ name, id }) => ({
        player: `/${name}/embed/${id}?default-tab=result`,
        page: `https://codepen.io/${name}/pen/${id}`,
      }),
    ),
  },
  {
    from: 'CodeSandbox',
    origin: 'https://codesandbox.io',
    hosts: withWww('codesandbox.io'),
    shape: 'work',
    find: byPath(/^\/(?:s|embed|p\/(?:sandbox|devbox))\/(?<id>[\w-]+)$/, ({ id }) => ({
      player: `/embed/${id}`,
    })),
  },
  {
    from: 'StackBlitz',
    origin: 'https://stackblitz.com',
    hosts: ['stackblitz.com'],
    shape: 'work',
    find: byPath(/^\/(?:edit\/[\w-]+|github\/[\w./-]+)$/, (_, { pathname, searchParams }) => {
      const file = searchParams.get('file')
      return { player: `${pathname}?embed=1${file ? `&file=${encodeURIComponent(file)}` : ''}` }
    }),
  },
  {
    from: 'GitHub Gist',
    origin: 'https://gist.github.com',
    hosts: ['gist.github.com'],
    shape: 'work',
    find: byPath(/^\/(?<name>[\w-]+)\/(?<id>[\da-f]{8,40})$/, ({ name, id }) => ({
      player: `/${name}/${id}.pibb`,
    })),
  },
  {
    from: 'Figma',
    origin: 'https://embed.figma.com',
    hosts: withWww('figma.com'),
    shape: 'work',
    find: byPath(
      /^\/(?<kind>file|design|proto|board|slides|deck)\/(?<key>[\dA-Za-z]{10,40})(?:\/|$)/,
      ({ kind, key }, { searchParams }) => {
        const node = searchParams.get('node-id')
        const place = node ? `&node-id=${encodeURIComponent(node)}` : ''
        return { player: `/${kind === 'file' ? 'design' : kind}/${key}?embed-host=tilth${place}` }
      },
    ),
  },
  {
    from: 'Google Maps',
    origin: 'https://www.google.com',
    hosts: [...withWww('google.com'), 'maps.google.com'],
    shape: 'map',
    find: findGoogleMap,
  },
  {
    from: 'OpenStreetMap',
    origin: 'https://www.openstreetmap.org',
    hosts: withWww('openstreetmap.org'),
    shape: 'map',
    find: findOpenStreetMap,
  },
]

function findYouTube({ hostname, pathname, searchParams }: URL): FoundContent | undefined {
  const [first = '', second = ''] = pathname.split('/').slice(1)
  const id = searchParams.get('v') ?? (hostname === 'youtu.be' ? first : second)
  if (!/^[\w-]{6,20}$/.test(id)) return undefined
  const start = Number.parseInt(searchParams.get('t') ?? searchParams.get('start') ?? '', 10)
  const from = start > 0 ? `&start=${start}` : ''
  return {
    player: `/embed/${id}?autoplay=1${from}`,
    page: `https://www.youtube.com/watch?v=${id}${start > 0 ? `&t=${start}` : ''}`,
  }
}

/** An address copied from its bar, or the one that it offers for frames. A shortened one does not say where it leads. */
function findGoogleMap({ hostname, pathname, searchParams, search }: URL): FoundContent | undefined {
  if (pathname === '/maps/embed') return { player: `${pathname}${search}` }
  if (hostname !== 'maps.google.com' && !/^\/maps(?:\/|$)/.test(pathname)) return undefined
  const named = /^\/maps\/(?:place|search)\/([^/@]+)/.exec(pathname)?.[1]?.replaceAll('+', ' ')
  const [, place, zoom] = /\/@(-?[\d.]+,-?[\d.]+),(\d+)(?:\.\d+)?z/.exec(pathname) ?? []
  const wanted = searchParams.get('q') ?? (named && decoded(named)) ?? place
  if (!wanted) return undefined
  const scale = zoom === undefined ? '' : `&z=${zoom}`
  return { player: `/maps?q=${encodeURIComponent(wanted)}${scale}&output=embed` }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The frame is told by its corners: about 640 pixels of a map at that zoom, 256 to a tile. */
function findOpenStreetMap({ hash, searchParams }: URL): FoundContent | undefined {
  const [zoom, latitude, longitude] =
    /^#map=([\d.]+)\/(-?[\d.]+)\/(-?[\d.]+)/.exec(hash)?.slice(1).map(Number) ?? []
  const [markedLatitude, markedLongitude] = ['mlat', 'mlon'].map((name) =>
    searchParams.has(name) ? Number(searchParams.get(name)) : undefined,
  )
  const [y, x] = [latitude ?? markedLatitude, longitude ?? markedLongitude]
  if (y === undefined || x === undefined || Number.isNaN(x + y) || Math.abs(y) > 85) return undefined
  const width = ((360 / 2 ** (zoom ?? 15)) * 640) / 256 / 2
  const height = (width * Math.cos((y * Math.PI) / 180) * 9) / 16
  const corners = [x - width, y - height, x + width, y + height].map((edge) => edge.toFixed(5)).join(',')
  const isMarked = markedLatitude !== undefined && markedLongitude !== undefined
  const marker = isMarked ? `&marker=${markedLatitude},${markedLongitude}` : ''
  return { player: `/export/embed.html?bbox=${corners}&layer=mapnik${marker}` }
}

/** Returns undefined for any other site. */
export function embedAt(address: string, title: string): Embed | undefined {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.port !== '') return undefined
  const provider = embedProviders.find(({ hosts }) => hosts.includes(url.hostname))
  if (!provider) return mastodonPost(url, title)
  const found = provider.find(url)
  if (!found) return undefined
  const { from, origin, shape } = provider
  const page = found.page ?? url.href
  return {
    address: page,
    player: `${origin}${found.player}`,
    title: title || from,
    from,
    shape: found.shape ?? shape,
  }
}

/** Mastodon has any number of servers, and each shows its own posts in frames. */
function mastodonPost({ protocol, hostname, origin, pathname }: URL, title: string): Embed | undefined {
  const isPost = /^\/@\w+\/\d{15,20}$/.test(pathname) && /\.[a-z]{2,}$/.test(hostname)
  if (!isPost || protocol !== 'https:') return undefined
  const address = `${origin}${pathname}`
  return { address, player: `${address}/embed`, title: title || 'Mastodon', from: hostname, shape: 'post' }
}
