'use client'

import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import type { CountedEntity } from '#insights/compile/counted-entity'
import { usePickers } from './pickers'

/** Chooses the counted entity: persons, groups of a type or, if the kind supports them, sessions. */
export function CountedEntityField({
  value,
  onChange,
}: {
  value: CountedEntity
  onChange: (next: CountedEntity) => void
}) {
  const { GroupType } = usePickers()
  return (
    <>
      <Field label="Count by">
        <Select
          options={[
            { value: 'person', label: 'People' },
            { value: 'group', label: 'Groups' },
          ]}
          value={value === 'person' ? 'person' : 'group'}
          onChange={(next) => onChange(next === 'group' ? { group: '' } : 'person')}
        />
      </Field>
      {value !== 'person' && (
        <GroupType label="Group type" value={value.group} onChange={(group) => onChange({ group })} />
      )}
    </>
  )
}
