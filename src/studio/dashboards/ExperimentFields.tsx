'use client'

import { use } from 'react'
import type { CardContent } from '#dashboards/dashboard'
import { Combobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { CardChoices } from './card-choices'

type ExperimentContent = Extract<CardContent, { type: 'experiment' }>

/** Chooses an experiment, and the metric with its effects. */
export function ExperimentFields({
  content: { experiment, metric },
  onChange,
}: {
  content: ExperimentContent
  onChange: (next: ExperimentContent) => void
}) {
  const { experiments } = use(CardChoices)
  const metrics = experiments.find(({ id }) => id === experiment)?.metrics ?? []
  return (
    <>
      <Field label="Experiment">
        <Combobox
          options={experiments.map(({ id, name }) => ({ value: id, label: name }))}
          value={experiment || null}
          onChange={(id) => onChange({ type: 'experiment', experiment: id ?? '' })}
          shownOption={(value) => ({ value, label: 'Archived experiment' })}
          placeholder="Search experiments"
          nothingFound="No experiment matches."
        />
      </Field>
      {metrics.length > 0 && (
        <Field label="Metric">
          <Select
            options={[
              { value: '', label: 'The first primary metric' },
              ...metrics.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={metric ?? ''}
            onChange={(id) => onChange({ type: 'experiment', experiment, ...(id !== '' && { metric: id }) })}
          />
        </Field>
      )}
    </>
  )
}
