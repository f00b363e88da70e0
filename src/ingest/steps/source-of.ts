import { domainToUnicode } from 'node:url'
import { remembering } from './memo'
import { siteOf } from './sites'
import { sourceAliases, sourceKinds, sourceLists, type SourceKind } from './sources'

/** Who sent a visitor. */
export interface Source {
  name: string
  /** Absent for a site nobody made a list of. */
  kind: SourceKind | undefined
}

interface Entry {
  source: Source
  /** The host alone, not what is below it. */
  isExact: boolean
  /** Only pages whose path begins like this. */
  path: string
}

const byHost = new Map<string, Entry[]>()
const byPattern: { pattern: RegExp; source: Source }[] = []
const byName = new Map<string, Source>()

for (const kind of sourceKinds) for (const line of linesOf(sourceLists[kind])) addSource(line, kind)
for (const [alias, name] of Object.entries(sourceAliases)) {
  const source = byName.get(name.toLowerCase())
  if (source) byName.set(alias, source)
}

/** A line that begins with a blank continues the one before. */
function linesOf(list: string): string[] {
  return list.trim().replaceAll(/\n\s+/g, ' ').split('\n')
}

function addSource(line: string, kind: SourceKind): void {
  const colon = line.indexOf(': ')
  const source: Source = { name: line.slice(0, colon), kind }
  if (!byName.has(source.name.toLowerCase())) byName.set(source.name.toLowerCase(), source)
  for (const place of line.slice(colon + 2).split(/\s+/)) addPlace(place, source)
}

function addPlace(place: string, source: Source): void {
  if (place.includes('*')) {
    byPattern.push({
      pattern: new RegExp(`^${place.replaceAll('.', '\\.').replaceAll('*', '[^.]*')}$`),
      source,
    })
    return
  }
  const isExact = place.startsWith('=')
  const [host = '', ...path] = place.slice(isExact ? 1 : 0).split('/')
  const entries = byHost.get(host) ?? []
  // the narrower comes first, and of two lists the earlier one
  const entry = { source, isExact, path: path.join('/') }
  byHost.set(host, entry.path === '' ? [...entries, entry] : [entry, ...entries])
}

const findAtHost = remembering(10_000, (host: string): { entries: readonly Entry[] } => ({
  entries: entriesFor(host),
}))

/** All that could be meant by a host, the best first. */
function entriesFor(host: string): Entry[] {
  const own = names(host).flatMap(({ name, isWhole }) =>
    (byHost.get(name) ?? []).filter(({ isExact }) => isWhole || !isExact),
  )
  const pattern = byPattern.find((candidate) => candidate.pattern.test(host))
  return pattern ? [{ source: pattern.source, isExact: true, path: '' }, ...own] : own
}

/** The host and everything it is below, the longest first; each also with its public suffix left open. */
function names(host: string): { name: string; isWhole: boolean }[] {
  const bare = host.replace(/^(?:www|m|mobile|amp)\./, '')
  const { withoutSuffix } = siteOf(bare)
  const suffixLength = withoutSuffix === '' ? 0 : bare.length - withoutSuffix.length - 1
  const labels = bare.split('.')
  return labels.slice(0, -1).flatMap((_label, i) => {
    const name = labels.slice(i).join('.')
    const isOpen = suffixLength > 0 && name.length > suffixLength + 1
    const all = isOpen ? [name, `${name.slice(0, -suffixLength)}{}`] : [name]
    return all.map((one) => ({ name: one, isWhole: i === 0 }))
  })
}

/** Who is behind a host, and behind the page of it where that makes a difference. */
export function sourceAt(host: string, path = '/'): Source {
  const name = host.replace(/:\d+$/, '')
  const known = findAtHost(name).entries.find(
    (entry) => entry.path === '' || path.slice(1).startsWith(entry.path),
  )
  return known?.source ?? { name: displayed(name), kind: undefined }
}

/** A site nobody made a list of is called what people read in its address. */
const displayed = (host: string): string => (domainToUnicode(host) || host).replace(/^www\./, '')

/** What a campaign calls its source: one we know by name, alias or host, or any other name as it is. */
export function sourceNamed(name: string): Source {
  const known = byName.get(name.toLowerCase()) ?? byName.get(name.toLowerCase().replace(/[-_ ]?ads?$/, ''))
  if (known) return known
  const host = name.toLowerCase()
  return host.includes('.') && /^[a-z0-9.-]+$/.test(host) ? sourceAt(host) : { name, kind: undefined }
}
