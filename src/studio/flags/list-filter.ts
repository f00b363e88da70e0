import type { Flag } from '#flags/flag'
import type { FlagsFilter } from '#studio/paths'
import { type SearchParams, textOf } from '#studio/search-params'
import { kindIn } from './editor/kinds'

const states = ['on', 'off', 'stale'] as const

/** Ignores invalid values in the address. */
export const flagsFilterIn = ({
  search,
  environment,
  state,
  kind,
  tag,
  show,
}: SearchParams): FlagsFilter => ({
  search: textOf(search)?.slice(0, 200),
  environment: textOf(environment),
  state: states.find((one) => one === state),
  kind: kindIn(kind),
  tag: textOf(tag),
  show: show === 'archived' ? show : undefined,
})

/** Filters the flags of a list. Staleness is decided elsewhere: it needs counts from the engine. */
export function filterFlags(flags: readonly Flag[], filter: FlagsFilter, environment: string): Flag[] {
  const { search, state, kind, tag, show } = filter
  const words = search?.toLowerCase()
  return flags.filter(
    (flag) =>
      (flag.archivedAt !== undefined) === (show === 'archived') &&
      (words === undefined || searchableText(flag).includes(words)) &&
      (kind === undefined || flag.kind === kind) &&
      (tag === undefined || flag.tags.includes(tag)) &&
      (state === undefined || state === 'stale' || isOn(flag, environment) === (state === 'on')),
  )
}

const searchableText = ({ key, description, owner, tags }: Flag): string =>
  [key, description, owner, ...tags].join('\n').toLowerCase()

const isOn = ({ environments }: Flag, environment: string): boolean =>
  environments[environment]?.isOn ?? false
