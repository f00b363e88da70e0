'use client'

import { useState } from 'react'
import type { Experiment } from '#experiments/experiment'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { RadioGroup } from '#ui/form/RadioGroup'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { Notice } from '#ui/page/Notice'
import type { InsightMetric } from '#experiments/experiment-set-up'
import type { MeasuredMetric } from '#insights/kinds/experiment/schema'
import { Combobox } from '#ui/form/Combobox'
import type { ExperimentChoices } from '../editor/choices'
import { changedMetric, isSaved, metricOfSaved } from './saved-metrics'
import { MeasuredFields } from './MeasuredFields'
import { SavedMetricPicker } from './SavedMetricPicker'
import { metricPresets, presetNames, presetOf } from './metric-presets'

type ExperimentMetric = Experiment['metrics'][number]

interface MetricFieldsProps {
  metric: ExperimentMetric
  isNew: boolean
  choices: ExperimentChoices
  onChange: (next: ExperimentMetric) => void
}

const presets = presetNames.map((value) => ({
  value,
  label: metricPresets[value].label,
  hint: metricPresets[value].hint,
}))

export function MetricFields({ metric, isNew, choices, onChange }: MetricFieldsProps) {
  const { measured } = metric
  // kept, since a half-filled metric may fit another kind
  const [preset, setPreset] = useState(() => presetOf(measured))
  const put = (part: Partial<ExperimentMetric>) => onChange(changedMetric(metric, part))
  return (
    <div className="flex flex-col gap-4">
      {isNew && choices.savedMetrics.length > 0 && (
        <SavedMetricPicker
          saved={choices.savedMetrics}
          chosen={metric.savedMetric}
          onChoose={(saved) => {
            setPreset(presetOf(saved.measured))
            onChange(metricOfSaved(metric, saved))
          }}
          onClear={() => onChange(changedMetric(metric, { name: metric.name }))}
        />
      )}
      {!isNew && isSaved(metric, choices.savedMetrics) && (
        <Notice title="A saved metric">
          If you change its name, goal or definition here, this experiment uses its own copy.
        </Notice>
      )}
      {isNew && choices.insights.length > 0 && (
        <InsightPicker
          insights={choices.insights}
          onChoose={(insight) => {
            setPreset(presetOf(insight.measured))
            put({ measured: insight.measured, name: metric.name || insight.name })
          }}
        />
      )}
      <Field label="Type">
        <Select
          options={presets}
          value={preset}
          onChange={(next) => {
            setPreset(next)
            put({ measured: metricPresets[next].measured(), goal: metricPresets[next].goal })
          }}
        />
      </Field>
      <MeasuredFields
        preset={preset}
        measured={measured}
        surveys={choices.surveys}
        onChange={(next) => put({ measured: next })}
      />
      <Field label="Name">
        <TextInput value={metric.name} onChange={({ target }) => put({ name: target.value })} />
      </Field>
      <RoleFields metric={metric} put={put} />
      <WindowFields metric={metric} put={put} />
    </div>
  )
}

const roles = [
  { value: 'primary', label: 'Primary', hint: 'Decides' },
  { value: 'secondary', label: 'Secondary', hint: 'Explains' },
  { value: 'guardrail', label: 'Guardrail', hint: 'Must not get worse' },
] as const

const goals = [
  { value: 'increase', label: 'Higher is better' },
  { value: 'decrease', label: 'Lower is better' },
] as const

type Put = (part: Partial<ExperimentMetric>) => void

function RoleFields({ metric: { role, goal, margin }, put }: { metric: ExperimentMetric; put: Put }) {
  return (
    <>
      <RadioGroup boxed label="Role" options={roles} value={role} onChange={(next) => put({ role: next })} />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Goal">
          <Select options={goals} value={goal} onChange={(next) => put({ goal: next })} />
        </Field>
        {role === 'guardrail' && (
          <Field label="Margin" hint="How much worse than the control it may be.">
            <NumberInput
              value={margin}
              min={0}
              max={100}
              step={0.1}
              unit="%"
              onChange={(next) => put({ margin: next ?? 0 })}
            />
          </Field>
        )}
      </div>
    </>
  )
}

function WindowFields({ metric: { measured }, put }: { metric: ExperimentMetric; put: Put }) {
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <DurationField
        label="Window"
        hint="Events count for so long, from the first exposure or the delay after it."
        placeholder="Until the end"
        hours={measured.windowHours}
        onChange={(windowHours) => put({ measured: withWindow(measured, windowHours) })}
      />
      <DurationField
        label="Delay"
        hint="Events before it do not count."
        placeholder="None"
        hours={measured.delayHours === 0 ? undefined : measured.delayHours}
        onChange={(hours) => put({ measured: { ...measured, delayHours: hours ?? 0 } })}
      />
      <Checkbox
        label="Only people whose window is over"
        hint="Newer people are left out until then, so that everyone had the same time."
        checked={measured.onlyComplete}
        disabled={measured.windowHours === undefined}
        onChange={(onlyComplete) => put({ measured: { ...measured, onlyComplete } })}
      />
    </div>
  )
}

/** Without a window nothing is ever complete. */
function withWindow(
  { windowHours: _, ...measured }: ExperimentMetric['measured'],
  hours: number | undefined,
): ExperimentMetric['measured'] {
  return hours === undefined ? { ...measured, onlyComplete: false } : { ...measured, windowHours: hours }
}

interface InsightPickerProps {
  insights: readonly InsightMetric[]
  onChoose: (insight: { name: string; measured: MeasuredMetric }) => void
}

/** Fills the metric in from a saved insight, or says why that one cannot become a metric. */
function InsightPicker({ insights, onChoose }: InsightPickerProps) {
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

const units = [
  { value: 'hours', label: 'hours' },
  { value: 'days', label: 'days' },
] as const

interface DurationFieldProps {
  label: string
  hint: string
  hours: number | undefined
  placeholder: string
  onChange: (hours: number | undefined) => void
}

/** A number of hours, typed as hours or days. */
function DurationField({ label, hint, hours, placeholder, onChange }: DurationFieldProps) {
  const [unit, setUnit] = useState<'hours' | 'days'>(
    hours === undefined || hours % 24 === 0 ? 'days' : 'hours',
  )
  const factor = unit === 'days' ? 24 : 1
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_6rem] items-start gap-2">
      <Field label={label} optional hint={hint}>
        <NumberInput
          value={hours === undefined ? null : Number((hours / factor).toFixed(4))}
          min={0}
          placeholder={placeholder}
          onChange={(next) => onChange(next ? next * factor : undefined)}
        />
      </Field>
      <div className="pt-6.5">
        <Select
          aria-label={`${label}: unit`}
          options={units}
          value={unit}
          onChange={(next) => {
            setUnit(next)
            if (hours !== undefined) onChange((hours / factor) * (next === 'days' ? 24 : 1))
          }}
        />
      </div>
    </div>
  )
}
