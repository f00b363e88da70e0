'use client'

import { useState } from 'react'
import type { InsightMetric } from '#experiments/experiment-set-up'
import type { MeasuredMetric } from '#insights/kinds/experiment/question'
import { Combobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'

interface InsightPickerProps {
  insights: readonly InsightMetric[]
  onChoose: (insight: { name: string; measured: MeasuredMetric }) => void
}

/** Fills the metric in from a saved insight, or says why that one cannot become a metric. */
export function InsightPicker({ insights, onChoose }: InsightPickerProps) {
  const [id, setId] = useState<string | null>(null)
  const chosen = insights.find((insight) => insight.id === id)
  function choose(next: string | null) {
    setId(next)
    const insight = insights.find((one) => one.id === next)
    if (insight?.measured) onChoose({ name: insight.name, measured: insight.measured })
  }
  return (
    <Field
      label="From a saved insight"
      optional
      hint="Takes its events and filters; the metric counts from the exposure on."
      {...(chosen?.refused !== undefined && { error: chosen.refused })}
    >
      <Combobox
        placeholder="Choose an insight"
        options={insights.map((insight) => ({ value: insight.id, label: insight.name }))}
        value={id}
        onChange={choose}
      />
    </Field>
  )
}
