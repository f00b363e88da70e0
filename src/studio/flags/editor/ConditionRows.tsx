'use client'

import { Plus } from 'lucide-react'
import { propertyLabel } from '#events/taxonomy'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { Menu } from '#ui/overlay/Menu'
import { ConditionRow } from '#studio/filters/ConditionRow'
import { usePropertySuggestions } from '#studio/filters/use-suggestions'
import { newRow, type RowDraft } from './draft'
import { FlagRow } from './FlagRow'
import type { EditorChoices } from './editor-choices'

/** The subjects of flag conditions. Events are excluded, because a decision happens before them. */
const conditionHints = ['person', 'group', 'cohort'] as const

const placeProperties = ['$geoip_country_code', '$geoip_subdivision_1_name', '$geoip_city_name']
const deviceProperties = ['$device_type', '$browser', '$os']

/** Everything that must hold for a set to fit. */
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
