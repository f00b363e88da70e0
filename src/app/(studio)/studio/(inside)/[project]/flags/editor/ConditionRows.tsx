'use client'

import { Plus } from 'lucide-react'
import { propertyLabel } from '../../../../../../../events/taxonomy'
import { Button } from '../../../../../../../ui/Button'
import { Icon } from '../../../../../../../ui/Icon'
import { Menu } from '../../../../../../../ui/Menu'
import { ConditionRow } from '../../../../../filters/ConditionRow'
import { usePropertySuggestions } from '../../../../../filters/use-suggestions'
import { newRow, type RowDraft } from './draft'
import { FlagRow } from './FlagRow'
import type { EditorGround } from './ground'

/** What a flag can be told of: an event has not happened yet when it is decided. */
const about = ['person', 'group', 'cohort'] as const

const places = ['$geoip_country_code', '$geoip_subdivision_1_name', '$geoip_city_name']
const devices = ['$device_type', '$browser', '$os']

/** Everything that must hold for a set to fit. */
export function ConditionRows({
  rows,
  onChange,
  label,
  ground,
}: {
  rows: readonly RowDraft[]
  onChange: (next: RowDraft[]) => void
  label: string
  ground: EditorGround
}) {
  const { slug, flags } = ground
  const suggestions = usePropertySuggestions(slug, about, undefined, rows.length > 0)
  const put = (place: number) => (next: RowDraft) => onChange(rows.with(place, next))
  const remove = (place: number) => () => onChange(rows.toSpliced(place, 1))
  const add = (made: RowDraft) => onChange([...rows, made])

  return (
    <div className="flex flex-col gap-2">
      {rows.map((row, place) => {
        const shared = { label: `${label} ${place + 1}`, onChange: put(place), onRemove: remove(place) }
        return row.kind === 'flag' ? (
          <FlagRow key={row.id} draft={row} flags={flags} {...shared} />
        ) : (
          <ConditionRow
            key={row.id}
            draft={row}
            ground={{ projectSlug: slug, of: about, event: undefined, suggestions }}
            {...shared}
          />
        )
      })}
      <div>
        <Menu
          trigger={
            <Button size="sm" variant={rows.length === 0 ? 'secondary' : 'quiet'} icon={<Icon of={Plus} />}>
              Add a condition
            </Button>
          }
          entries={[
            { label: 'A property of the person or a group…', onSelect: () => add(newRow.property()) },
            { label: 'A cohort…', onSelect: () => add(newRow.cohort()) },
            { label: 'Another flag…', onSelect: () => add(newRow.flag()) },
            { kind: 'group', label: 'Place', entries: places.map((key) => entryFor(key, add)) },
            { kind: 'group', label: 'Device', entries: devices.map((key) => entryFor(key, add)) },
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
