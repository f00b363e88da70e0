'use client'

import { Plus, X } from 'lucide-react'
import { propertyLabel } from '#events/taxonomy'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { Menu } from '#ui/overlay/Menu'
import { ConditionRow } from '#studio/filters/ConditionRow'
import { usePropertySuggestions } from '#studio/filters/use-suggestions'
import { Combobox } from '#ui/form/Combobox'
import { IconButton } from '#ui/IconButton'
import { Select } from '#ui/form/Select'
import { newRow, type RowDraft, type FlagRowDraft } from './draft'
import type { EditorChoices } from './editor-choices'

/** The subjects of flag conditions. Events are excluded, because a decision happens before them. */
const conditionHints = ['person', 'group', 'cohort'] as const

const placeProperties = ['$geoip_country_code', '$geoip_subdivision_1_name', '$geoip_city_name']
const deviceProperties = ['$device_type', '$browser', '$os']

/** The conditions that must all hold for a set to fit. */
export function ConditionRows({
  rows,
  onChange,
  label,
  choices,
}: {
  rows: readonly RowDraft[]
  onChange: (next: RowDraft[]) => void
  label: string
  choices: EditorChoices
}) {
  const { slug, flags } = choices
  const suggestions = usePropertySuggestions(slug, conditionHints, undefined, rows.length > 0)
  const put = (index: number) => (next: RowDraft) => onChange(rows.with(index, next))
  const remove = (index: number) => () => onChange(rows.toSpliced(index, 1))
  const add = (made: RowDraft) => onChange([...rows, made])

  return (
    <div className="flex flex-col gap-2">
      {rows.map((row, index) => {
        const shared = { label: `${label} ${index + 1}`, onChange: put(index), onRemove: remove(index) }
        return row.kind === 'flag' ? (
          <FlagRow key={row.id} draft={row} flags={flags} {...shared} />
        ) : (
          <ConditionRow
            key={row.id}
            draft={row}
            context={{ projectSlug: slug, of: conditionHints, event: undefined, suggestions }}
            {...shared}
          />
        )
      })}
      <div>
        <Menu
          trigger={
            <Button size="sm" variant={rows.length === 0 ? 'secondary' : 'quiet'} icon={<Icon of={Plus} />}>
              Add condition
            </Button>
          }
          entries={[
            { label: 'Person or group property…', onSelect: () => add(newRow.property()) },
            { label: 'Cohort…', onSelect: () => add(newRow.cohort()) },
            { label: 'Flag…', onSelect: () => add(newRow.flag()) },
            { kind: 'group', label: 'Location', entries: placeProperties.map((key) => entryFor(key, add)) },
            { kind: 'group', label: 'Device', entries: deviceProperties.map((key) => entryFor(key, add)) },
          ]}
        />
      </div>
    </div>
  )
}

const entryFor = (key: string, add: (row: RowDraft) => void) => ({
  label: `${propertyLabel(key)}…`,
  onSelect: () => add(newRow.of({ type: 'person', key })),
})

interface FlagRowProps {
  draft: FlagRowDraft
  onChange: (next: FlagRowDraft) => void
  onRemove: () => void
  label: string
  flags: EditorChoices['flags']
}

/** A condition on what another flag says. */
function FlagRow({ draft, onChange, onRemove, label, flags }: FlagRowProps) {
  const variants = flags.find(({ key }) => key === draft.flag)?.variants ?? []
  const answers = [
    { value: 'on', label: 'is on' },
    { value: 'off', label: 'is off' },
    ...variants.map(({ key }) => ({ value: `gives ${key}`, label: `gives ${key}` })),
  ]

  return (
    <div className="flex items-start gap-1.5">
      <div className="flex min-w-0 grow flex-wrap gap-1.5">
        <div className="w-full sm:w-56">
          <Combobox
            aria-label={`${label}: flag`}
            placeholder="Choose a flag"
            options={flags.map(({ key }) => ({ value: key, label: key, hint: 'Flag' }))}
            value={draft.flag ?? null}
            onChange={(flag) => onChange({ ...draft, flag: flag ?? undefined, value: true })}
            nothingFound={flags.length === 0 ? 'No other flags' : undefined}
            required
          />
        </div>
        <div className="w-full sm:w-44">
          <Select
            aria-label={`${label}: value`}
            options={answers}
            value={wordFor(draft.value)}
            onChange={(word) => onChange({ ...draft, value: valueIn(word) })}
          />
        </div>
      </div>
      <IconButton label={`Remove ${label.toLowerCase()}`} icon={<Icon of={X} />} onClick={onRemove} />
    </div>
  )
}

const wordFor = (value: boolean | string): string =>
  typeof value === 'string' ? `gives ${value}` : value ? 'on' : 'off'

const valueIn = (word: string): boolean | string =>
  word.startsWith('gives ') ? word.slice('gives '.length) : word === 'on'
