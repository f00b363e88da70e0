'use client'

import { useState } from 'react'
import { Combobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import type { SavedMetricChoice } from '../editor/choices'
import { searchSaved } from './saved-metrics'

interface SavedMetricPickerProps {
  saved: readonly SavedMetricChoice[]
  /** The id of the saved metric that the metric refers to. */
  chosen: string | undefined
  onChoose: (saved: SavedMetricChoice) => void
  onClear: () => void
}

const hint = 'A draft takes its current definition when the experiment starts.'

/** Fills the metric in from a saved one, which is found by its name, description or tags. */
export function SavedMetricPicker({ saved, chosen, onChoose, onClear }: SavedMetricPickerProps) {
  const [typed, setTyped] = useState('')
  const metric = saved.find(({ id }) => id === chosen)
  function choose(id: string | null) {
    setTyped('')
    const next = saved.find((one) => one.id === id)
    if (next) onChoose(next)
    else onClear()
  }
  return (
    <Field label="From a saved metric" optional hint={metric?.description || hint}>
      <Combobox
        placeholder="Search by name or tag"
        options={searchSaved(saved, typed).map(({ id, name, tags }) => ({
          value: id,
          label: name,
          ...(tags.length > 0 && { hint: tags.join(', ') }),
        }))}
        value={metric?.id ?? null}
        onSearch={setTyped}
        onChange={choose}
      />
    </Field>
  )
}
