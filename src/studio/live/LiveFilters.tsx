'use client'

import { Search } from 'lucide-react'
import { eventLabel } from '#events/taxonomy'
import { Button } from '#ui/Button'
import { Combobox } from '#ui/form/Combobox'
import { Icon } from '#ui/Icon'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import { TextInput } from '#ui/form/TextInput'
import type { LiveFeedEntry } from './feed'
import { isNarrowed, kinds, type LiveFilter, nameOf } from './list-filter'
import type { SetLiveFilter } from './use-live-filter'

const allKinds = { kind: undefined, name: undefined, find: undefined }

const kindLabels = { stored: 'Stored', dropped: 'Dropped', refused: 'Refused' }
const kindOptions = [
  { value: 'any', label: 'All' },
  ...kinds.map((kind) => ({ value: kind, label: kindLabels[kind] })),
]

export function LiveFilters({
  filter,
  ask,
  seen: entries,
}: {
  filter: LiveFilter
  ask: SetLiveFilter
  seen: readonly LiveFeedEntry[]
}) {
  return (
    <search className="flex flex-wrap items-center gap-2">
      <SegmentedControl
        label="Status"
        options={kindOptions}
        value={filter.kind ?? 'any'}
        onChange={(chosen) => ask({ kind: kinds.find((kind) => kind === chosen) })}
      />
      <div className="w-full sm:w-52">
        <Combobox
          aria-label="Event"
          placeholder="Any event"
          options={namesIn(entries, filter.name)}
          value={filter.name ?? null}
          onChange={(name) => ask({ name: name ?? undefined })}
        />
      </div>
      <div className="w-full sm:w-64">
        <TextInput
          type="search"
          aria-label="Search page, person and properties"
          placeholder="Search page, person, properties"
          icon={<Icon of={Search} />}
          value={filter.find ?? ''}
          onChange={({ target }) => ask({ find: target.value || undefined })}
        />
      </div>
      {isNarrowed(filter) && (
        <Button variant="quiet" onClick={() => ask(allKinds)}>
          Clear filters
        </Button>
      )}
    </search>
  )
}

/** The names seen so far, and the chosen one even if it was not seen. */
function namesIn(entries: readonly LiveFeedEntry[], chosenName: string | undefined) {
  const names = new Set([chosenName, ...entries.map(({ liveEvent }) => nameOf(liveEvent))])
  return [...names]
    .filter((name) => name !== undefined)
    .map((name) => ({
      value: name,
      label: eventLabel(name),
      hint: eventLabel(name) === name ? undefined : name,
    }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en'))
}
