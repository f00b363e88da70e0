import { version } from '#package.json'
import type { ClientName } from '#studio/live/client-names'
import type { SnippetOptions, Snippet } from './snippet'

/** A client that can send events, and the code that makes it send them here. */
interface TrackingClient {
  /** The projects that the client suits. */
  about: string
  snippets: (options: SnippetOptions) => readonly Snippet[]
  /** Advice for projects that already use the client. */
  note?: string
}

const tilth: TrackingClient = {
  about:
    'One tag of 2 kB. Page views, reading time, outbound links, downloads, forms and ' +
    'web vitals, flags and surveys where there are some, and no cookie.',
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
      title: 'A custom event',
      language: 'JavaScript',
      code: `window.tilth?.track('signup', { props: { plan: 'pro' } })`,
    },
    {
      title: 'A custom event in HTML',
      language: 'HTML',
      code: `<button data-tilth-event="signup" data-tilth-plan="pro">Sign up</button>`,
    },
    {
      title: 'A flag in HTML',
      language: 'HTML',
      code: `<div data-tilth-flag="new-pricing" hidden>What it turns on</div>`,
    },
  ],
}

/** The version is named, so that an app's lock file stays valid when Tilth is updated. */
const installLine = (address: string, names: readonly string[]): string =>
  ['npm install', ...names.map((name) => `${address}/_tilth/packages/${name}-${version}.tgz`)].join(' \\\n  ')

const react: TrackingClient = {
  about: 'Flags, experiments and events in any React app, in less than 3 kB. This Tilth serves the package.',
  snippets: ({ base, address, key }) => [
    { title: 'Install', language: 'Shell', code: installLine(address, ['react']) },
    {
      title: 'Around the app',
      language: 'JSX',
      code: `import { TilthProvider } from '@tilth/react'
import { App } from './App'

export const Root = () => (
  <TilthProvider address="${base}" project="${key}">
    <App />
  </TilthProvider>
)`,
    },
    {
      title: 'A flag and an event',
      language: 'JSX',
      code: `import { track, useFlag } from '@tilth/react'

export function App() {
  const isNewCheckout = useFlag('new-checkout')
  return (
    <button onClick={() => track('signup', { props: { plan: 'pro' } })}>
      {isNewCheckout ? 'Buy now' : 'Buy'}
    </button>
  )
}`,
    },
  ],
}

const next: TrackingClient = {
  about:
    'Flags decided on the server before the first byte, the same in the browser: no flicker. This Tilth serves the ' +
    'packages.',
  snippets: ({ address, key }) => [
    { title: 'Install', language: 'Shell', code: installLine(address, ['react', 'next']) },
    {
      title: 'Settings of the app',
      language: 'Shell',
      code: `cat >> .env.local <<'END'
TILTH_ADDRESS=${address}
TILTH_SECRET_KEY=
NEXT_PUBLIC_TILTH_ADDRESS=/ingest
NEXT_PUBLIC_TILTH_PROJECT=${key}
END`,
    },
    {
      title: 'proxy.ts (Next 15: middleware.ts)',
      language: 'JavaScript',
      code: `import { tilthProxy } from '@tilth/next/proxy'

export const proxy = tilthProxy()`,
    },
    {
      title: 'app/layout.tsx',
      language: 'JSX',
      code: `import { Tilth } from '@tilth/next/server'

export default function RootLayout({ children }) {
  return (
    <html lang="en">
      <body>
        <Tilth>{children}</Tilth>
      </body>
    </html>
  )
}`,
    },
  ],
  note: 'TILTH_SECRET_KEY is a secret key of the project: Settings → Keys. It stays on the server.',
}

/** The methods that a page may call before the script has loaded. */
const earlyCallQueue =
  'capture identify alias group register reset setPersonProperties onFeatureFlags opt_in_capturing opt_out_capturing'

/** Names the version of posthog-js's defaults, so that an update changes nothing unasked. */
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
  about:
    'PostHog’s own SDKs, unchanged. Clicks are captured automatically, and visitors become people with a history once they are ' +
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
  note: 'Already using PostHog? Change only the key and the host.',
}

const vercel: TrackingClient = {
  about: 'Vercel’s Web Analytics and Speed Insights packages, on any host.',
  snippets: ({ base, key }) => [
    {
      title: 'In the layout of a Next.js app',
      language: 'JSX',
      code: `import { Analytics } from '@vercel/analytics/next'
import { SpeedInsights } from '@vercel/speed-insights/next'

const Insights = () => (
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
  note: 'With scriptSrc set, the packages also send events in development.',
}

const plausible: TrackingClient = {
  about: 'Plausible’s script with its usual names and options, or its npm tracker.',
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
    'The write key replaces the domain. To keep a domain that is already in use, ' +
    'add it to the project’s aliases. Plausible’s script ignores localhost.',
}

const umami: TrackingClient = {
  about: 'Umami’s tag and its server package.',
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
  note: 'The write key replaces the website id.',
}

/** The address Segment's library sends to: without a scheme, even if it is a path of the site itself. */
const segmentHost = ({ address, base }: SnippetOptions): string =>
  base === address
    ? `apiHost: '${new URL(address).host}/v1',
      protocol: '${new URL(address).protocol.slice(0, -1)}',`
    : `apiHost: location.host + '${base}/v1',
      protocol: location.protocol.slice(0, -1),`

const segment: TrackingClient = {
  about: 'Segment’s libraries for browsers and servers, and those that are compatible with them.',
  snippets: (options) => [
    {
      title: 'With npm: @segment/analytics-next',
      language: 'JavaScript',
      code: `import { AnalyticsBrowser } from '@segment/analytics-next'

const analytics = AnalyticsBrowser.load(
  { writeKey: '${options.key}', cdnURL: '${options.base}' },
  { integrations: {
    'Segment.io': {
      ${segmentHost(options)}
    },
  } },
)
analytics.page()`,
    },
    {
      title: 'On a server: @segment/analytics-node',
      language: 'JavaScript',
      code: `import { Analytics } from '@segment/analytics-node'

const analytics = new Analytics({
  writeKey: '${options.key}',
  host: '${options.address}',
})
analytics.track({
  userId: 'ana',
  event: 'signup',
  properties: { plan: 'pro' },
})
await analytics.closeAndFlush()`,
    },
  ],
}

const amplitude: TrackingClient = {
  about: 'Amplitude’s SDKs, with their sessions, identities and groups.',
  snippets: ({ base, address, key }) => [
    {
      title: 'With npm: @amplitude/analytics-browser',
      language: 'JavaScript',
      code: `import * as amplitude from '@amplitude/analytics-browser'

amplitude.init('${key}', {
  serverUrl: '${base}/2/httpapi',
  fetchRemoteConfig: false,
  autocapture: { pageViews: true },
})`,
    },
    {
      title: 'On a server: @amplitude/analytics-node',
      language: 'JavaScript',
      code: `import { init, track } from '@amplitude/analytics-node'

init('${key}', { serverUrl: '${address}/2/httpapi' })
track('signup', { plan: 'pro' }, { user_id: 'ana' })`,
    },
  ],
}

const mixpanel: TrackingClient = {
  about: 'Mixpanel’s SDKs: events, profiles and groups.',
  snippets: ({ base, key }) => [
    {
      title: 'With npm: mixpanel-browser',
      language: 'JavaScript',
      code: `import mixpanel from 'mixpanel-browser'

mixpanel.init('${key}', {
  api_host: '${base}',
  track_pageview: true,
})`,
    },
  ],
}

const goatcounter: TrackingClient = {
  about: 'GoatCounter’s script, which sets no cookie.',
  snippets: ({ base, key }) => [
    {
      title: 'In the body of every page',
      language: 'HTML',
      code: `<script
  async
  data-goatcounter="${base}/count/${key}"
  src="//gc.zgo.at/count.js"
></script>`,
    },
  ],
  note: 'The script is GoatCounter’s own; a copy of it on your site works as well.',
}

const matomo: TrackingClient = {
  about: 'Matomo’s script: page views, events, goals, orders and site search.',
  snippets: ({ base, key }) => [
    {
      title: 'In the head of every page',
      language: 'HTML',
      code: `<script>
  window._paq = [
    ['setTrackerUrl', '${base}/matomo.php'],
    ['setSiteId', '${key}'],
    ['enableLinkTracking'],
    ['trackPageView'],
  ]
</script>
<script async src="/matomo.js"></script>`,
    },
  ],
  note:
    'Copy matomo.js to your site, or keep the one of your Matomo. The write key replaces the site id; to keep a ' +
    'number that is already in use, add it to the project’s aliases.',
}

/** Quoted for a shell: nothing in these has an apostrophe. */
const curl = (address: string, body: unknown): string => `curl ${address} \\
  -H 'content-type: application/json' \\
  -d '${JSON.stringify(body)}'`

/** The host and path that Simple Analytics' script puts behind `https://`. */
const scriptHost = ({ base, address }: Pick<SnippetOptions, 'base' | 'address'>): string =>
  base === address ? new URL(address).host : `example.com${base}`

const simpleAnalytics: TrackingClient = {
  about: 'Simple Analytics’ script, which sets no cookie, and its events of servers.',
  snippets: ({ base, address, key }) => [
    {
      title: 'On a server',
      language: 'Shell',
      code: curl(`${address}/events`, {
        type: 'event',
        hostname: key,
        event: 'signup',
        ua: 'Mozilla/5.0 (X11; Linux x86_64)',
      }),
    },
    {
      title: 'A copy of their script that sends here',
      language: 'Shell',
      code: `sed 's|queue.simpleanalyticscdn.com|${scriptHost({ base, address })}|' \\
  latest.js > public/latest.js`,
    },
    {
      title: 'In the body of every page',
      language: 'HTML',
      code: '<script async src="/latest.js"></script>',
    },
  ],
  note: 'Their script needs https. The project is the one of the page’s host; data-hostname can name its write key instead.',
}

/** The address gtag.js sends to: a whole address, even if it is a path of the site itself. */
const ga4Server = ({ base, address }: SnippetOptions): string =>
  base === address ? `'${address}'` : `location.origin + '${base}'`

const ga4: TrackingClient = {
  about: 'Google’s tag, and events of servers by the Measurement Protocol.',
  snippets: (options) => [
    {
      title: 'In the head of every page',
      language: 'HTML',
      code: `<script
  async
  src="//www.googletagmanager.com/gtag/js?id=G-XXXXXXXXXX"
></script>
<script>
  window.dataLayer = window.dataLayer || []
  function gtag() {
    dataLayer.push(arguments)
  }
  gtag('js', new Date())
  gtag('config', 'G-XXXXXXXXXX', {
    server_container_url: ${ga4Server(options)},
    write_key: '${options.key}',
  })
</script>`,
    },
    {
      title: 'On a server: Measurement Protocol',
      language: 'Shell',
      code: curl(`'${options.address}/mp/collect?api_secret=${options.key}'`, {
        client_id: '1122.3344',
        events: [{ name: 'sign_up', params: { method: 'mail' } }],
      }),
    },
  ],
  note:
    'The tag then sends here instead of to Google. In place of write_key, the measurement id may be among the ' +
    'project’s aliases. /debug/mp/collect answers what is wrong with a request.',
}

const event = { event: 'signup', distinct_id: 'ana', properties: { plan: 'pro' } }

const http: TrackingClient = {
  about: 'One HTTP request. A 200 response means that the event is saved.',
  snippets: ({ address, key }) => [
    {
      title: 'One event',
      language: 'Shell',
      code: curl(`${address}/i/v0/e/`, { api_key: key, ...event }),
    },
    {
      title: 'A batch',
      language: 'Shell',
      code: curl(`${address}/batch/`, {
        api_key: key,
        batch: [event, { event: 'plan chosen', distinct_id: 'ana' }],
      }),
    },
  ],
  note: 'Send a "uuid" with each event to retry safely: an event is stored once.',
}

export const clients = {
  tilth,
  react,
  next,
  posthog,
  vercel,
  plausible,
  umami,
  segment,
  amplitude,
  mixpanel,
  goatcounter,
  matomo,
  simpleAnalytics,
  ga4,
  http,
} satisfies Record<ClientName, TrackingClient>
