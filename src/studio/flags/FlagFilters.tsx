'use client'

import { useAddressParameters } from '#ui/navigation/Navigation'
import { Combobox } from '#ui/form/Combobox'
import { LinkButton } from '#ui/LinkButton'
import { type FlagsFilter, paths } from '#studio/paths'
import { SearchBox } from '#studio/parts/SearchBox'
import { kindOptions } from './editor/kinds'

const states = [
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
  { value: 'stale', label: 'Stale' },
] as const

const finding = { label: 'Find a flag', placeholder: 'Find by key, tag, owner' }

/** The filters of the list; all of them are in the address. */
export function FlagFilters({
  slug,
  filter: answered,
  environments,
  tags,
}: {
  slug: string
  filter: FlagsFilter
  environments: readonly string[]
  tags: readonly string[]
}) {
  const [filter, ask] = useAddressParameters(answered, (next) => paths.flags(slug, next))
  const find = (next: string) => ask({ search: next || undefined })
  const { search, environment, state, kind, tag, show } = filter

  return (
    <search className="flex flex-wrap items-center gap-2">
      <div className="w-full sm:w-52">
        <SearchBox {...finding} value={search ?? ''} onSearch={find} />
      </div>
      {environments.length > 1 && (
        <Narrow
          label="Environment"
          placeholder="Environments"
          options={environments.map((name) => ({ value: name, label: name }))}
          value={environment}
          onChange={(next) => ask({ environment: next })}
        />
      )}
      <Narrow
        label="State"
        placeholder="All states"
        options={states}
        value={state}
        onChange={(next) => ask({ state: states.find(({ value }) => value === next)?.value })}
      />
      <Narrow
        label="Type"
        placeholder="All types"
        options={kindOptions}
        value={kind}
        onChange={(next) => ask({ kind: next })}
      />
      {tags.length > 0 && (
        <Narrow
          label="Tag"
          placeholder="All tags"
          options={tags.map((name) => ({ value: name, label: name }))}
          value={tag}
          onChange={(next) => ask({ tag: next })}
        />
      )}
      {(search ?? environment ?? state ?? kind ?? tag) && (
        <LinkButton href={paths.flags(slug, { show })} variant="quiet">
          Clear filters
        </LinkButton>
      )}
    </search>
  )
}

function Narrow({
  label,
  placeholder,
  options,
  value,
  onChange,
}: {
  label: string
  placeholder: string
  options: readonly { value: string; label: string }[]
  value: string | undefined
  onChange: (next: string | undefined) => void
}) {
  return (
    <div className="w-[calc(50%-0.25rem)] sm:w-40">
      <Combobox
        aria-label={label}
        placeholder={placeholder}
        options={options}
        value={value ?? null}
        onChange={(next) => onChange(next ?? undefined)}
      />
    </div>
  )
}
