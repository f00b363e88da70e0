'use client'

import { useState, useSyncExternalStore } from 'react'
import { Combobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'

const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
  value,
  label: value.replaceAll('_', ' '),
}))

const noSubscription = () => () => {}
const browserTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone
const serverTimeZone = () => 'UTC'

/** The time zone of a project's days. Without a value it is the browser's. */
export function TimeZoneField({ value, disabled }: { value?: string; disabled?: boolean }) {
  const here = useSyncExternalStore(noSubscription, browserTimeZone, serverTimeZone)
  const [chosen, setChosen] = useState<string | null>(value ?? null)

  return (
    <Field label="Time zone" name="timeZone" hint="Days start at midnight in this time zone.">
      <Combobox options={zones} value={chosen ?? here} onChange={setChosen} disabled={disabled} required />
    </Field>
  )
}
