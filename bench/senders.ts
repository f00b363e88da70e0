import { gzipSync } from 'node:zlib'
import autocannon from 'autocannon'

export const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** About a kilobyte, as SDKs send it; without a uuid, so that each is an event of its own. */
const event = (n: number) => ({
  event: n % 3 === 0 ? '$pageview' : 'clicked',
  properties: {
    distinct_id: `visitor-${n % 5000}`,
    $current_url: `https://acme.example/products/${n % 200}?utm_source=news&utm_campaign=autumn`,
    $referrer: 'https://www.google.com/',
    $browser: 'Chrome',
    $os: 'Linux',
    $device_type: 'Desktop',
    $screen_width: 1920,
    $screen_height: 1080,
    $browser_language: 'en-GB',
    $lib: 'web',
    $lib_version: '1.434.18',
    $process_person_profile: false,
    plan: ['free', 'team', 'company'][n % 3],
    price: (n % 90) + 0.99,
    note: 'lorem ipsum dolor sit amet '.repeat(14),
  },
})

export const singleEvent = (key: string): string => JSON.stringify({ api_key: key, ...event(1) })

/** Each time that it is sent, a visitor becomes another person: autocannon writes an id of the request there. */
const signUp = (n: number) => ({
  event: '$identify',
  properties: {
    ...event(n).properties,
    distinct_id: `member-${n}-[<id>]`,
    $anon_distinct_id: `visitor-${n}-[<id>]`,
    $process_person_profile: true,
    $set: { plan: 'team', seen: '[<id>]' },
  },
})

const batchOf = (key: string, eventAt: (n: number) => object = event): string =>
  JSON.stringify({ api_key: key, batch: Array.from({ length: 50 }, (_, n) => eventAt(n)) })

export interface Load {
  /** Whether each request has an id of its own in its body. */
  idReplacement?: boolean
  url: string
  body: string | Buffer
  connections: number
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
}

export const batches = (address: string, key: string): Record<'plain' | 'gzip' | 'signUps', Load> => {
  const load = { url: `${address}/batch/`, connections: 8 }
  return {
    plain: { ...load, body: batchOf(key) },
    gzip: { ...load, body: gzipSync(batchOf(key)), headers: { 'content-type': 'text/plain' } },
    signUps: {
      ...load,
      body: batchOf(key, (n) => (n % 10 === 0 ? signUp(n) : event(n))),
      idReplacement: true,
    },
  }
}

/** Sends the same over and over, as fast as the answers come: for so long, or so often. */
export const send = (
  { url, body, connections, method = 'POST', headers = {}, idReplacement = false }: Load,
  until: { seconds: number } | { times: number },
) =>
  autocannon({
    url,
    method,
    ...(method === 'POST' && { body }),
    connections,
    idReplacement,
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...headers },
    ...('seconds' in until ? { duration: until.seconds } : { amount: until.times }),
  })
