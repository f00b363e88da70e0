import { proxyPrefix, type Snippet } from './snippet'

/** A reverse proxy in front of a site, and its configuration. */
interface ReverseProxy {
  label: string
  snippet: (upstream: Upstream) => Snippet
  note?: string
}

/** This installation, as a proxy has to know it. */
interface Upstream {
  address: string
  host: string
  isEncrypted: boolean
  /** The host of the site that passes things on. */
  site: string
}

/** The prefix is left on: below it, an installation answers trackers and SDKs alone, never with the studio. */
const target = ({ address }: Upstream): string => `${address}${proxyPrefix}`

/** Lines that are there only for an encrypted upstream leave nothing behind where it is not. */
const lines = (...written: (string | false)[]): string => written.filter((line) => line !== false).join('\n')

const nginx: ReverseProxy = {
  label: 'nginx',
  snippet: ({ address, host, isEncrypted }) => ({
    title: 'In the server block of the site',
    language: 'nginx',
    code: lines(
      `location ${proxyPrefix}/ {`,
      `    proxy_pass ${address};`,
      isEncrypted && '    proxy_ssl_server_name on;',
      `    proxy_set_header Host ${host};`,
      '    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
      '    proxy_set_header Cookie "";',
      '    client_max_body_size 20m;',
      '}',
    ),
  }),
}

const caddy: ReverseProxy = {
  label: 'Caddy',
  snippet: ({ address, host }) => ({
    title: 'In the site’s block of the Caddyfile',
    language: 'Caddyfile',
    code: lines(
      `handle ${proxyPrefix}/* {`,
      `\treverse_proxy ${address} {`,
      `\t\theader_up Host ${host}`,
      '\t\theader_up -Cookie',
      '\t}',
      '}',
    ),
  }),
}

const apache: ReverseProxy = {
  label: 'Apache',
  snippet: (upstream) => ({
    title: 'In the virtual host of the site',
    language: 'Apache',
    code: lines(
      upstream.isEncrypted && 'SSLProxyEngine On',
      `<Location "${proxyPrefix}/">`,
      `    ProxyPass "${target(upstream)}/"`,
      '    RequestHeader unset Cookie',
      '</Location>',
    ),
  }),
  note: 'It takes the modules proxy_http, headers and, for an https address, ssl.',
}

const next: ReverseProxy = {
  label: 'Next.js',
  snippet: (upstream) => ({
    title: 'next.config.mjs',
    language: 'JavaScript',
    code: `export default {
  // SDKs send to addresses that end in a slash
  skipTrailingSlashRedirect: true,
  async rewrites() {
    return [{ source: '${proxyPrefix}/:path*', destination: '${target(upstream)}/:path*' }]
  },
}`,
  }),
}

const vercel: ReverseProxy = {
  label: 'Vercel',
  snippet: (upstream) => ({
    title: 'vercel.json',
    language: 'JSON',
    code: JSON.stringify(
      { rewrites: [{ source: `${proxyPrefix}/:path(.*)`, destination: `${target(upstream)}/:path*` }] },
      null,
      2,
    ),
  }),
}

const cloudflare: ReverseProxy = {
  label: 'Cloudflare',
  snippet: ({ address, site }) => ({
    title: `A Worker on the route ${site}${proxyPrefix}/*`,
    language: 'JavaScript',
    code: `export default {
  async fetch(request) {
    const { pathname, search } = new URL(request.url)
    const onward = new Request('${address}' + pathname + search, request)
    onward.headers.set('x-forwarded-for', request.headers.get('cf-connecting-ip') ?? '')
    onward.headers.delete('cookie')
    return fetch(onward)
  },
}`,
  }),
}

const netlify: ReverseProxy = {
  label: 'Netlify',
  snippet: (upstream) => ({
    title: '_redirects',
    language: 'Netlify',
    code: `${proxyPrefix}/*  ${target(upstream)}/:splat  200`,
  }),
}

const traefik: ReverseProxy = {
  label: 'Traefik',
  snippet: ({ address, site }) => ({
    title: 'In the dynamic configuration',
    language: 'YAML',
    code: `http:
  routers:
    tilth:
      rule: Host(\`${site}\`) && PathPrefix(\`${proxyPrefix}/\`)
      service: tilth
      middlewares: [without-cookies]
  middlewares:
    without-cookies:
      headers:
        customRequestHeaders:
          Cookie: ""
  services:
    tilth:
      loadBalancer:
        passHostHeader: false
        servers:
          - url: ${address}`,
  }),
}

export const proxies = {
  nginx,
  caddy,
  apache,
  next,
  vercel,
  cloudflare,
  netlify,
  traefik,
} satisfies Record<string, ReverseProxy>
export type ProxyName = keyof typeof proxies

export const isProxy = (name: unknown): name is ProxyName =>
  typeof name === 'string' && Object.hasOwn(proxies, name)
export const proxyNames = Object.keys(proxies).filter(isProxy)

/** The host for a project that names none. */
const someSite = 'www.example.com'

export function upstreamAt(address: string, hosts: readonly string[]): Upstream {
  const { host, protocol } = new URL(address)
  const site = hosts.find((one) => !one.startsWith('*')) ?? someSite
  return { address, host, isEncrypted: protocol === 'https:', site }
}
