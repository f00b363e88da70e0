import type { SnippetOptions, Snippet } from './snippet'

/** Something that can send events, and all that has to be written so that it sends them here. */
export interface TrackingClient {
  label: string
  /** Which projects it suits. */
  about: string
  snippets: (options: SnippetOptions) => readonly Snippet[]
  /** What is good to know where it is already in use. */
  note?: string
}

const tilth: TrackingClient = {
  label: 'Tilth',
  about:
    'One tag for any page, under 2 kB. It counts page views, reading time, outbound links, downloads, forms and ' +
    'web vitals, and sets no cookie.',
  snippets: ({ base, key }) => [
    {
      title: 'In the head of every page',
      language: 'HTML',
      code: `<script
  defer
  src="${base}/_tilth/script.js"
  data-project="${key}"
></script>`,
    },
    {
      title: 'An event of your own',
      language: 'JavaScript',
      code: `window.tilth?.track('signup', { props: { plan: 'pro' } })`,
    },
    {
      title: 'The same without a script',
      language: 'HTML',
      code: `<button data-tilth-event="signup" data-tilth-plan="pro">Sign up</button>`,
    },
  ],
}

/** What a page may call before the script is there. */
const earlyCallQueue =
  'capture identify alias group register reset setPersonProperties onFeatureFlags opt_in_capturing opt_out_capturing'

/** Says which of posthog-js's defaults are meant, so that an update changes nothing unasked. */
const posthogDefaults = '2025-11-30'

const posthogTag = ({ base, key }: SnippetOptions): string => `<script>
  window.posthog = Object.assign([], { _i: [], people: [], __SV: 1 })
  posthog.init = (key, options) => posthog._i.push([key, options, 'posthog'])
  const early = '${earlyCallQueue}'
  for (const call of early.split(' '))
    posthog[call] = (...said) => posthog.push([call, ...said])

  posthog.init('${key}', {
    api_host: '${base}',
    defaults: '${posthogDefaults}',
  })
</script>
<script async crossorigin="anonymous" src="${base}/static/array.js"></script>`

const posthog: TrackingClient = {
  label: 'PostHog',
  about:
    'PostHog’s own SDKs, unchanged. Clicks are recorded without code, and visitors become persons once they are ' +
    'identified.',
  snippets: (options) => [
    { title: 'In the head of every page', language: 'HTML', code: posthogTag(options) },
    {
      title: 'Or with npm: posthog-js',
      language: 'JavaScript',
      code: `import posthog from 'posthog-js'

posthog.init('${options.key}', {
  api_host: '${options.base}',
  defaults: '${posthogDefaults}',
})`,
    },
    {
      title: 'On a server: posthog-node',
      language: 'JavaScript',
      code: `import { PostHog } from 'posthog-node'

const posthog = new PostHog('${options.key}', {
  host: '${options.address}',
})

posthog.capture({
  distinctId: 'ana',
  event: 'signup',
  properties: { plan: 'pro' },
})
await posthog.shutdown()`,
    },
  ],
  note: 'Where PostHog is in use already, change its key and its host and nothing else.',
}

const vercel: TrackingClient = {
  label: 'Vercel',
  about: 'Vercel’s Web Analytics and Speed Insights packages, on any host.',
  snippets: ({ base, key }) => [
    {
      title: 'In the layout of a Next.js app',
      language: 'JSX',
      code: `import { Analytics } from '@vercel/analytics/next'
import { SpeedInsights } from '@vercel/speed-insights/next'

export const Insights = () => (
  <>
    <Analytics
      dsn="${key}"
      scriptSrc="${base}/_vercel/insights/script.js"
      endpoint="${base}/_vercel/insights"
    />
    <SpeedInsights
      dsn="${key}"
      scriptSrc="${base}/_vercel/speed-insights/script.js"
      endpoint="${base}/_vercel/speed-insights/vitals"
    />
  </>
)`,
    },
    {
      title: 'Or anywhere else',
      language: 'JavaScript',
      code: `import { inject } from '@vercel/analytics'
import { injectSpeedInsights } from '@vercel/speed-insights'

inject({
  dsn: '${key}',
  scriptSrc: '${base}/_vercel/insights/script.js',
  endpoint: '${base}/_vercel/insights',
})
injectSpeedInsights({
  dsn: '${key}',
  scriptSrc: '${base}/_vercel/speed-insights/script.js',
  endpoint: '${base}/_vercel/speed-insights/vitals',
})`,
    },
  ],
  note: 'Since scriptSrc is given, the packages send from here while a site is being developed as well.',
}

const plausible: TrackingClient = {
  label: 'Plausible',
  about: 'Plausible’s script by its usual names and options, or its npm tracker.',
  snippets: ({ base, key }) => [
    {
      title: 'In the head of every page',
      language: 'HTML',
      code: `<script
  defer
  data-domain="${key}"
  src="${base}/js/script.outbound-links.file-downloads.js"
></script>`,
    },
    {
      title: 'Or with npm: @plausible-analytics/tracker',
      language: 'JavaScript',
      code: `import { init } from '@plausible-analytics/tracker'

init({
  domain: '${key}',
  endpoint: '${base}/api/event',
  outboundLinks: true,
  fileDownloads: true,
})`,
    },
  ],
  note:
    'The write key stands in the place of the domain. A site that is already counted by its domain may keep it, ' +
    'once the project knows the domain by that name. Pages on localhost are left out by Plausible’s own rule.',
}

const umami: TrackingClient = {
  label: 'Umami',
  about: 'Umami’s tag and its package for servers.',
  snippets: ({ base, address, key }) => [
    {
      title: 'In the head of every page',
      language: 'HTML',
      code: `<script
  defer
  src="${base}/script.js"
  data-website-id="${key}"
></script>`,
    },
    {
      title: 'On a server: @umami/node',
      language: 'JavaScript',
      code: `import { Umami } from '@umami/node'

const umami = new Umami({
  websiteId: '${key}',
  hostUrl: '${address}',
})
await umami.track({ url: '/signup', name: 'signup', data: { plan: 'pro' } })`,
    },
  ],
  note: 'The write key stands in the place of the website id.',
}

const event = { event: 'signup', distinct_id: 'ana', properties: { plan: 'pro' } }

/** Quoted for a shell: nothing in these has an apostrophe. */
const curl = (address: string, body: unknown): string => `curl ${address} \\
  -H 'content-type: application/json' \\
  -d '${JSON.stringify(body)}'`

const http: TrackingClient = {
  label: 'HTTP',
  about: 'One request from any program. An answer of 200 means that the event is on disk.',
  snippets: ({ address, key }) => [
    {
      title: 'One event',
      language: 'Shell',
      code: curl(`${address}/i/v0/e/`, { api_key: key, ...event }),
    },
    {
      title: 'Many at once',
      language: 'Shell',
      code: curl(`${address}/batch/`, {
        api_key: key,
        batch: [event, { event: 'plan chosen', distinct_id: 'ana' }],
      }),
    },
  ],
  note: 'Send a "uuid" with each event and repeat a request as often as you like: an event is kept once.',
}

export const clients = { tilth, posthog, vercel, plausible, umami, http } satisfies Record<
  string,
  TrackingClient
>
export type ClientName = keyof typeof clients

export const isClient = (name: unknown): name is ClientName =>
  typeof name === 'string' && Object.hasOwn(clients, name)
export const clientNames = Object.keys(clients).filter(isClient)
