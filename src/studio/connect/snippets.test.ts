import { spawnSync } from 'node:child_process'
import { transform } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { type ClientName, clientNames } from '#studio/live/client-names'
import { clients } from './clients'
import type { SnippetOptions, Snippet } from './snippet'
import { proxies, type ProxyName, proxyNames, upstreamAt } from './proxies'

const key = 'phc_0123456789abcdefghijABCDEFGHIJ0123456789'
const address = 'https://tilth.example.com:8443'
const directly: SnippetOptions = { address, base: address, key }
const passedOn: SnippetOptions = { address, base: '/t', key }

/** Every installation a text names. */
const addressesIn = (code: string): string[] =>
  (code.match(/https?:\/\/[^\s"'`<>;/)},]+/g) ?? []).map((url) => new URL(url).origin)

const keysIn = (code: string): string[] => code.match(/phc_\w+/g) ?? []

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

const snippetsOf = (name: ClientName, snippetOptions: SnippetOptions): readonly Snippet[] =>
  clients[name].snippets(snippetOptions)

describe.each(clientNames)('%s', (name) => {
  const snippets = snippetsOf(name, directly)

  test('names no address and no key but the right ones', () => {
    for (const { title, code } of snippets) {
      expect([title, ...new Set(addressesIn(code))]).toEqual(
        keysIn(code).length > 0 || title === 'Install' ? [title, address] : [title],
      )
      for (const named of keysIn(code)) expect(named).toBe(key)
    }
  })

  test('has something that sends to begin with', () => {
    const first = snippets.find(({ title }) => title !== 'Install')
    expect(first?.code).toContain(key)
    expect(first?.code).toContain(address)
  })

  test.each([...snippets, ...snippetsOf(name, passedOn)])(
    '$title: can be read by what it is for',
    async (snippet) => expect(await isReadable(snippet)).toBe(true),
  )
})

test.each([
  // client, and what its browsers ask of the site itself
  ['tilth', ['"/t/_tilth/script.js"']],
  ['react', ['address="/t"']],
  ['posthog', [`api_host: '/t'`, '"/t/static/array.js"']],
  ['vercel', ['/t/_vercel/insights/script.js', '/t/_vercel/speed-insights/vitals']],
  ['plausible', ['"/t/js/script.outbound-links.file-downloads.js"', `'/t/api/event'`]],
  ['umami', ['"/t/script.js"']],
  ['segment', [`cdnURL: '/t'`, `location.host + '/t/v1'`]],
  ['amplitude', [`'/t/2/httpapi'`]],
  ['mixpanel', [`api_host: '/t'`]],
  ['goatcounter', ['"/t/count/']],
  ['matomo', [`'/t/matomo.php'`]],
  ['ga4', [`location.origin + '/t'`]],
  ['simpleAnalytics', ['|example.com/t|']],
] as const)('%s: behind a proxy, browsers ask the site and servers still ask us', (name, wanted) => {
  const code = snippetsOf(name, passedOn).map((snippet) => snippet.code)
  for (const part of wanted) expect(code.join('\n')).toContain(part)
  const byServers = code.filter((one) =>
    /posthog-node|@umami\/node|analytics-node|^curl|^npm install/.test(one),
  )
  expect(code.flatMap(addressesIn)).toEqual(byServers.map(() => address))
})

const encrypted = upstreamAt(address, ['shop.example.com'])
const plain = upstreamAt('http://10.0.0.7:3000', ['*.example.com'])
const snippetOf = (name: ProxyName, upstream: typeof plain) => proxies[name].snippet(upstream)

describe.each(proxyNames)('%s', (name) => {
  test.each([
    ['https', encrypted],
    ['http', plain],
  ])('over %s, it passes on to the installation and to no one else', async (_scheme, upstream) => {
    const snippet = snippetOf(name, upstream)
    expect([...new Set(addressesIn(snippet.code))]).toEqual([upstream.address])
    expect(snippet.code + snippet.title).toContain('/t/')
    expect(await isReadable(snippet)).toBe(true)
  })
})

test.each([
  // an encrypted upstream is asked by its name; a plain one has none of this
  ['nginx', 'proxy_ssl_server_name on;'],
  ['apache', 'SSLProxyEngine On'],
] as const)('%s speaks TLS only where there is some', (name, line) => {
  expect(snippetOf(name, encrypted).code).toContain(line)
  expect(snippetOf(name, plain).code).not.toContain(line)
})

test.each([
  ['nginx', 'proxy_set_header Host tilth.example.com:8443;'],
  ['caddy', 'header_up Host tilth.example.com:8443'],
  ['traefik', 'passHostHeader: false'],
] as const)('%s asks for the installation by its own name', (name, line) =>
  expect(snippetOf(name, encrypted).code).toContain(line),
)

test.each(['nginx', 'caddy', 'apache', 'cloudflare', 'traefik'] as const)(
  '%s keeps the cookies of the site at the site',
  (name) => expect(snippetOf(name, encrypted).code).toMatch(/cookie/i),
)

test('a rule for one site names a host of the project, or one that is plainly an example', () => {
  expect(snippetOf('traefik', encrypted).code).toContain('Host(`shop.example.com`)')
  expect(snippetOf('traefik', plain).code).toContain('Host(`www.example.com`)')
})

test.each([
  ['JavaScript', 'const = 1'],
  ['JSX', '<a>'],
  ['JSON', '{"a":}'],
  ['Shell', "curl -d 'no end"],
  ['Shell', `curl -d '{"a":}'`],
  ['HTML', '<script>let let</script>'],
  ['nginx', 'location /t/ { '],
  ['Apache', '<Location "/t/">'],
  ['YAML', 'http:\n   routers:'],
  ['Netlify', '/t/* https://tilth.example.com 301'],
])('%s that is wrong would be noticed: %s', async (language, code) =>
  expect(await isReadable({ title: '', language, code })).toBe(false),
)

type Check = (code: string) => boolean | Promise<boolean>

/** Whether what reads a snippet of this kind would take it. */
const checks: Readonly<Record<string, Check>> = {
  JavaScript: (code) => isScript(code, 'js'),
  JSX: (code) => isScript(code, 'jsx'),
  JSON: isJson,
  HTML: isPage,
  Shell: isCommand,
  nginx: isBalanced,
  Caddyfile: isBalanced,
  Apache: (code) => count(code, /^<Location /gm) === count(code, /^<\/Location>/gm),
  Netlify: (code) => /^\/\S+ {2}https?:\S+ {2}200$/.test(code),
  YAML: (code) => code.split('\n').every((line) => /^(?: {2})*(?:- )?\w[\w-]*:(?: \S.*)?$/.test(line)),
}

async function isReadable({ language, code }: Snippet): Promise<boolean> {
  const check = checks[language]
  if (!check) throw new Error(`Nobody here can tell whether ${language} is right.`)
  return await check(code)
}

const isScript = (code: string, loader: 'js' | 'jsx'): Promise<boolean> =>
  transform(code, { loader, format: 'esm', logLevel: 'silent' }).then(
    () => true,
    () => false,
  )

function isJson(code: string): boolean {
  try {
    JSON.parse(code)
    return true
  } catch {
    return false
  }
}

async function isPage(code: string): Promise<boolean> {
  const inline = [...code.matchAll(/<script>([^]*?)<\/script>/g)].map(([, script = '']) => script)
  const read = await Promise.all(inline.map((script) => isScript(script, 'js')))
  return read.every(Boolean) && count(code, /<[a-z]/g) === count(code, /<\/[a-z]/g)
}

/** Read by a shell, and not run. */
function isCommand(code: string): boolean {
  const [, body] = /-d '([^]*)'$/.exec(code) ?? []
  return spawnSync('sh', ['-n'], { input: code }).status === 0 && (body === undefined || isJson(body))
}

function isBalanced(code: string): boolean {
  const bare = code.replaceAll(/"[^"]*"/g, '')
  return count(bare, /\{/g) > 0 && count(bare, /\{/g) === count(bare, /\}/g)
}
