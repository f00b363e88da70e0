'use client'

import { Users, X } from 'lucide-react'
import { useState } from 'react'
import { usePickers } from '#studio/insights/form/pickers'
import type { Breakdown } from '#insights/query-fields'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'

interface BreakdownPickerProps {
  value: Breakdown | undefined
  onChange: (next: Breakdown | undefined) => void
}

/** Breaks results down by a property, a variant or cohorts. */
export function BreakdownPicker({ value, onChange }: BreakdownPickerProps) {
  const [choosesCohorts, setChoosesCohorts] = useState(value?.type === 'cohort')
  const { Property, Cohorts } = usePickers()
  const isCohort = value ? value.type === 'cohort' : choosesCohorts
  const clear = () => {
    setChoosesCohorts(false)
    onChange(undefined)
  }
  return (
    <div className="flex items-center gap-1.5">
      <div className="w-64">
        {isCohort ? (
          <Cohorts
            label="Break down by cohorts"
            values={value?.type === 'cohort' ? value.cohorts : []}
            onChange={(cohorts) => onChange(cohorts.length > 0 ? { type: 'cohort', cohorts } : undefined)}
          />
        ) : (
          <Property
            label="Break down by"
            placeholder="Break down by"
            value={value?.type === 'cohort' ? undefined : value}
            onChange={(next) =>
              onChange(
                next &&
                  (next.type === 'group'
                    ? { type: 'group', group: next.group ?? '', key: next.key }
                    : { type: next.type, key: next.key }),
              )
            }
            of={['event', 'person', 'session', 'group']}
            event="survey sent"
          />
        )}
      </div>
      {isCohort && <IconButton label="Remove breakdown" icon={<Icon of={X} />} onClick={clear} />}
      {!value && !choosesCohorts && (
        <IconButton
          label="Break down by cohorts"
          icon={<Icon of={Users} />}
          onClick={() => setChoosesCohorts(true)}
        />
      )}
    </div>
  )
}
