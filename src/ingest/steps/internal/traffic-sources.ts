import { domainToUnicode } from 'node:url'
import { memoize } from './memoize'
import { hostPartsOf } from './sites'
import { isWebmailHost, mailDomain, parseAppName } from './source-patterns'
import { sourceAliases, sourceKinds, sourceLists, type SourceKind } from './sources'

/** The site or campaign that sent a visitor. */
export interface TrafficSource {
  name: string
  /** Undefined for a site that is on no list. */
  kind: SourceKind | undefined
}

interface SourceEntry {
  source: TrafficSource
  /** Whether the entry means the host only, without its subdomains. */
  isExact: boolean
  /** The entry applies only to pages whose path begins with this. */
  path: string
}

const byHost = new Map<string, SourceEntry[]>()
const byPattern: { pattern: RegExp; source: TrafficSource }[] = []
const byName = new Map<string, TrafficSource>()
/** Providers of mail by name, since some have a search engine of the same name. */
const mailByName = new Map<string, TrafficSource>()

for (const kind of sourceKinds) for (const line of linesOf(sourceLists[kind])) addSource(line, kind)
for (const [alias, name] of Object.entries(sourceAliases)) {
  const source = byName.get(name.toLowerCase())
  if (source) byName.set(alias, source)
}

/** Splits a list into lines. A line that begins with a blank continues the previous one. */
function linesOf(list: string): string[] {
  return list.trim().replaceAll(/\n\s+/g, ' ').split('\n')
}

function addSource(line: string, kind: SourceKind): void {
  const colon = line.indexOf(': ')
  const source: TrafficSource = { name: line.slice(0, colon), kind }
  if (!byName.has(source.name.toLowerCase())) byName.set(source.name.toLowerCase(), source)
  if (kind === 'email') mailByName.set(source.name.toLowerCase(), source)
  for (const hostPattern of line.slice(colon + 2).split(/\s+/)) addSourceHost(hostPattern, source)
}

function addSourceHost(pattern: string, source: TrafficSource): void {
  if (pattern.includes('*')) {
    byPattern.push({
      pattern: new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^.]*')}$`),
      source,
    })
    return
  }
  const isExact = pattern.startsWith('=')
  const [host = '', ...path] = pattern.slice(isExact ? 1 : 0).split('/')
  const entries = byHost.get(host) ?? []
  // more specific entries come first; of two lists, the earlier one
  const entry = { source, isExact, path: path.join('/') }
  byHost.set(host, entry.path === '' ? [...entries, entry] : [entry, ...entries])
}

const entriesForHost = memoize(10_000, (host: string): { entries: readonly SourceEntry[] } => ({
  entries: entriesFor(host),
}))

/** Returns all entries that match a host, the best first. */
function entriesFor(host: string): SourceEntry[] {
  const own = hostSuffixes(host).flatMap(({ name, isWhole }) =>
    (byHost.get(name) ?? []).filter(({ isExact }) => isWhole || !isExact),
  )
  const pattern = byPattern.find((candidate) => candidate.pattern.test(host))
  return pattern ? [{ source: pattern.source, isExact: true, path: '' }, ...own] : own
}

/** Returns the host and its parent domains, the longest first; each also with its public suffix as a wildcard. */
function hostSuffixes(host: string): { name: string; isWhole: boolean }[] {
  const bare = host.replace(/^(?:www|m|mobile|amp)\./, '')
  const { withoutSuffix } = hostPartsOf(bare)
  const suffixLength = withoutSuffix === '' ? 0 : bare.length - withoutSuffix.length - 1
  const labels = bare.split('.')
  return labels.slice(0, -1).flatMap((_label, i) => {
    const name = labels.slice(i).join('.')
    const isOpen = suffixLength > 0 && name.length > suffixLength + 1
    const all = isOpen ? [name, `${name.slice(0, -suffixLength)}{}`] : [name]
    return all.map((one) => ({ name: one, isWhole: i === 0 }))
  })
}

/** Finds the source of a host, and of a page's path where it matters. */
export function findSourceByHost(host: string, path = '/'): TrafficSource {
  const name = host.replace(/:\d+$/, '')
  const known = entriesForHost(name).entries.find(
    (entry) => entry.path === '' || path.slice(1).startsWith(entry.path),
  )
  return known?.source ?? findWebmail(name) ?? { name: displayHost(name), kind: undefined }
}

/** Recognises a webmail that is on no list by its host's name. */
function findWebmail(host: string): TrafficSource | undefined {
  const { domain, withoutSuffix } = hostPartsOf(host)
  if (withoutSuffix === '' || !isWebmailHost(host, domain)) return undefined
  const provider = mailDomain(domain)
  const named = mailByName.get(provider) ?? mailByName.get(provider.split('.', 1)[0] ?? '')
  return named ?? { name: displayHost(host), kind: 'email' }
}

/** Finds the source of an app by its package, which begins with the reversed domain of its maker. */
export function findSourceByApp(app: string): TrafficSource {
  const known = entriesForHost(app).entries.find(({ path }) => path === '')
  if (known) return known.source
  const { domain, labels, isMail, isSearch } = parseAppName(app)
  if (isMail) return { name: app, kind: 'email' }
  const makers = [findSourceByHost(domain), ...labels.flatMap((label) => byName.get(label) ?? [])]
  // makers of search engines have many other apps
  const maker = makers.find(({ kind }) => kind && (kind !== 'search' || isSearch || labels.length === 1))
  return maker ?? { name: app, kind: undefined }
}

/** Names a site that is on no list by its host, as an address bar shows it. */
const displayHost = (host: string): string => (domainToUnicode(host) || host).replace(/^www\./, '')

/** Finds the source that a campaign names: by name, alias or host; any other name is kept as it is. */
export function findSourceByName(name: string): TrafficSource {
  const known = byName.get(name.toLowerCase()) ?? byName.get(withoutAdSuffix(name))
  if (known) return known
  const host = name.toLowerCase()
  return host.includes('.') && /^[a-z0-9.-]+$/.test(host) ? findSourceByHost(host) : { name, kind: undefined }
}

const withoutAdSuffix = (name: string): string => name.toLowerCase().replace(/[-_. ]?ads?$/, '')

/** Whether a campaign's source names the advertisements of a known site, such as "fbad", "ig-ads" or "AdWords". */
export function isPaidSourceName(name: string): boolean {
  const lower = name.toLowerCase()
  if (lower === 'adwords') return true
  const stem = withoutAdSuffix(name)
  return stem !== lower && byName.has(stem)
}
