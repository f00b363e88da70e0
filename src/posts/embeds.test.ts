import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { embedOrigins, mayBeFramed } from './embed-origins'
import { embedAt, embedProviders } from './embeds'

const loom = '0281766fa2d04bb788eaf19e65135184'

const players: readonly [address: string, player: string][] = [
  [
    'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
    'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1',
  ],
  [
    'https://youtu.be/aqz-KE-bpKQ?t=90',
    'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1&start=90',
  ],
  [
    'https://www.youtube.com/shorts/aqz-KE-bpKQ',
    'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1',
  ],
  ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871?autoplay=1&dnt=1'],
  ['https://vimeo.com/channels/staff/76979871', 'https://player.vimeo.com/video/76979871?autoplay=1&dnt=1'],
  [`https://www.loom.com/share/${loom}`, `https://www.loom.com/embed/${loom}?autoplay=1`],
  ['https://x.com/ana/status/20123456', 'https://platform.twitter.com/embed/Tweet.html?id=20123456&dnt=true'],
  [
    'https://twitter.com/ana/status/20123456',
    'https://platform.twitter.com/embed/Tweet.html?id=20123456&dnt=true',
  ],
  [
    'https://mastodon.example.social/@ana/109501230000000001',
    'https://mastodon.example.social/@ana/109501230000000001/embed',
  ],
  [
    'https://bsky.app/profile/ana.example.com/post/3mcoktonamk2m',
    'https://embed.bsky.app/embed/ana.example.com/app.bsky.feed.post/3mcoktonamk2m',
  ],
  [
    'https://open.spotify.com/intl-de/track/4PTG3Z6ehGkBFwjybzWkR8?si=a1',
    'https://open.spotify.com/embed/track/4PTG3Z6ehGkBFwjybzWkR8',
  ],
  [
    'https://soundcloud.com/ana/first-song?utm_source=clipboard',
    'https://w.soundcloud.com/player/?url=https%3A%2F%2Fsoundcloud.com%2Fana%2Ffirst-song&auto_play=true',
  ],
  ['https://codepen.io/ana/pen/abCdEf', 'https://codepen.io/ana/embed/abCdEf?default-tab=result'],
  ['https://codesandbox.io/p/sandbox/react-new', 'https://codesandbox.io/embed/react-new'],
  [
    'https://stackblitz.com/edit/vite-a1b2?file=src%2Fmain.ts',
    'https://stackblitz.com/edit/vite-a1b2?embed=1&file=src%2Fmain.ts',
  ],
  [
    'https://gist.github.com/ana/6cad326836d38bd3a7ae',
    'https://gist.github.com/ana/6cad326836d38bd3a7ae.pibb',
  ],
  [
    'https://www.figma.com/design/AbCdEfGhIjKlMnOp/Boards?node-id=1-2',
    'https://embed.figma.com/design/AbCdEfGhIjKlMnOp?embed-host=tilth&node-id=1-2',
  ],
  [
    'https://www.google.com/maps/place/Caf%C3%A9+Einstein/@52.5,13.37,15.5z/data=!3m1',
    'https://www.google.com/maps?q=Caf%C3%A9%20Einstein&z=15&output=embed',
  ],
  [
    'https://www.google.com/maps/@52.5,13.37,15z',
    'https://www.google.com/maps?q=52.5%2C13.37&z=15&output=embed',
  ],
  ['https://www.google.com/maps/embed?pb=!1m18', 'https://www.google.com/maps/embed?pb=!1m18'],
  [
    'https://www.openstreetmap.org/?mlat=0&mlon=10#map=10/0/10',
    'https://www.openstreetmap.org/export/embed.html?bbox=9.56055,-0.24719,10.43945,0.24719&layer=mapnik&marker=0,10',
  ],
]

test.each(players)('%s is shown by %s', (address, player) => {
  const embed = embedAt(address, '')
  expect(embed?.player).toBe(player)
  expect(mayBeFramed(new URL(player))).toBe(true)
  // an importer, a summary and a letter read the address of the page again
  expect(embedAt(embed?.address ?? '', '')?.player).toBe(player)
})

test.each([
  'https://www.youtube.com/',
  'https://vimeo.com/watch',
  'https://x.com/ana',
  'https://medium.com/@ana/a-story-1095',
  'https://example.social:8443/@ana/109501230000000001',
  'http://10.0.0.1/@ana/109501230000000001',
  'https://soundcloud.com/ana',
  'https://www.google.com/search?q=maps',
  'https://maps.app.goo.gl/abc',
  'https://www.openstreetmap.org/node/1',
  'https://github.com/ana/repository',
  'javascript:alert(1)',
  'https://www.youtube.com.evil.example/watch?v=aqz-KE-bpKQ',
])('%s is only a link', (address) => expect(embedAt(address, '')).toBeUndefined())

describe('the table of sites', () => {
  test('has an example of each, and the list of origins is that of the table', () => {
    const found = new Set(players.map(([address]) => embedAt(address, '')?.from))
    expect(found).toEqual(new Set([...embedProviders.map(({ from }) => from), 'mastodon.example.social']))
    expect(new Set(embedProviders.map(({ origin }) => origin))).toEqual(new Set(embedOrigins))
  })

  test('is in the manual', () => {
    const manual = readFileSync('docs/posts.md', 'utf8')
    expect(embedProviders.map(({ from }) => from).filter((from) => !manual.includes(from))).toEqual([])
  })
})

test('only players of these sites stand in frames', () => {
  const refused = [
    'https://evil.example/',
    'http://player.vimeo.com/video/1',
    'https://evil.example/@ana/embed',
  ]
  expect(refused.filter((address) => mayBeFramed(new URL(address)))).toEqual([])
})
