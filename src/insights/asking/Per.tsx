'use client'

import { Field } from '../../ui/Field'
import { Select } from '../../ui/Select'
import type { Counted } from '../counted'
import { usePickers } from '../pickers'

/** Whom numbers count: persons, or the groups of a type; where the kind knows them, sessions. */
export function Per({ value, onChange }: { value: Counted; onChange: (next: Counted) => void }) {
  const { GroupType } = usePickers()
  return (
    <>
      <Field label="Counts">
        <Select
          options={[
            { value: 'person', label: 'Persons' },
            { value: 'group', label: 'Groups' },
          ]}
          value={value === 'person' ? 'person' : 'group'}
          onChange={(next) => onChange(next === 'group' ? { group: '' } : 'person')}
        />
      </Field>
      {value !== 'person' && (
        <GroupType label="Type of group" value={value.group} onChange={(group) => onChange({ group })} />
      )}
    </>
  )
}
