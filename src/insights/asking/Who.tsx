'use client'

import { Field } from '../../ui/Field'
import { Select } from '../../ui/Select'
import { Switch } from '../../ui/Switch'
import { usePickers } from '../pickers'
import type { Asked } from '../scope'
import type { Traffic } from '../reach'
import { Part } from './form'

const trafficLabels: Record<Traffic, string> = {
  human: 'People',
  ai: 'AI crawlers and assistants',
  bot: 'Other robots',
  feed: 'Feed readers',
  all: 'Everything',
}
const traffics = Object.entries(trafficLabels).map(([value, label]) => ({ value, label }))
const isTraffic = (value: string): value is Traffic => Object.hasOwn(trafficLabels, value)

/** Of which events at all: what must hold for each, and whose they are. */
export function Who({
  question: { filter, traffic, withoutTestAccounts },
  onChange,
}: {
  question: Omit<Asked, 'period'>
  onChange: (next: Partial<Omit<Asked, 'period'>>) => void
}) {
  const { Filter } = usePickers()
  return (
    <Part title="Only where" hint="What must hold for everything that is counted.">
      <Filter
        label="Conditions of the whole"
        value={filter}
        onChange={(next) => onChange({ filter: next })}
      />
      <Field label="Traffic">
        <Select
          options={traffics}
          value={traffic}
          onChange={(next) => isTraffic(next) && onChange({ traffic: next })}
        />
      </Field>
      <Switch
        label="Without test accounts"
        hint="Leaves out who works on the product."
        checked={withoutTestAccounts}
        onChange={(next) => onChange({ withoutTestAccounts: next })}
      />
    </Part>
  )
}
