'use client'

import { Plus, X } from 'lucide-react'
import type { MeasuredMetric } from '#insights/kinds/experiment/schema'
import type { EventMatcher } from '#insights/query-fields'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { NumberInput } from '#ui/form/NumberInput'
import { Select } from '#ui/form/Select'
import { propertyLabel } from '#events/taxonomy'
import { Combobox } from '#ui/form/Combobox'
import type { SurveyChoice } from '../editor/choices'
import { AmountFields, withoutUndefined } from './AmountFields'
import { BoundFields } from './BoundFields'
import { MatcherFields, PropertyField } from './MatcherFields'
import { type MetricPresetName, noEvent, vitalProperties } from './metric-presets'

interface MeasuredFieldsProps {
  preset: MetricPresetName
  measured: MeasuredMetric
  surveys: readonly SurveyChoice[]
  onChange: (next: MeasuredMetric) => void
}

/** The fields for the measured events of a metric, by its type. */
export function MeasuredFields({ preset, measured, surveys, onChange }: MeasuredFieldsProps) {
  switch (measured.type) {
    case 'conversion':
      return (
        <MatcherFields
          label="Event"
          value={measured.happening}
          onChange={(matcher) => onChange({ ...measured, happening: matcher })}
        />
      )
    case 'total':
      return <TotalFields measured={measured} onChange={onChange} />
    case 'value':
      return preset === 'survey' ? (
        <SurveyFields measured={measured} surveys={surveys} onChange={onChange} />
      ) : (
        <ValueFields measured={measured} onChange={onChange} />
      )
    case 'ratio':
      return (
        <div className="flex flex-col gap-2.5">
          <AmountFields
            label="Numerator"
            value={measured.numerator}
            onChange={(numerator) => onChange({ ...measured, numerator })}
          />
          <AmountFields
            label="Denominator"
            value={measured.denominator}
            onChange={(denominator) => onChange({ ...measured, denominator })}
          />
        </div>
      )
    case 'funnel':
      return <StepFields steps={measured.steps} onChange={(steps) => onChange({ ...measured, steps })} />
    default:
      return <QuantileFields measured={measured} isVital={preset === 'vital'} onChange={onChange} />
  }
}

type Of<Type extends MeasuredMetric['type']> = Extract<MeasuredMetric, { type: Type }>

interface FieldsProps<Type extends MeasuredMetric['type']> {
  measured: Of<Type>
  onChange: (next: Of<Type>) => void
}

function TotalFields({ measured, onChange }: FieldsProps<'total'>) {
  const { amount } = measured
  return (
    <div className="flex flex-col gap-2.5">
      <MatcherFields
        label="Event"
        value={amount.happening}
        onChange={(matcher) => onChange({ ...measured, amount: { ...amount, happening: matcher } })}
      />
      {amount.property !== undefined && (
        <PropertyField
          label="Property"
          value={amount.property}
          event={amount.happening.event}
          onChange={(property) => onChange({ ...measured, amount: { ...amount, property } })}
        />
      )}
      <BoundFields
        label="Total of one person"
        value={measured}
        onChange={(bounds) => onChange(withoutUndefined({ ...measured, ...bounds }))}
      />
    </div>
  )
}

const valueKinds = [
  { value: 'mean', label: 'Mean value' },
  { value: 'min', label: 'Smallest value' },
  { value: 'max', label: 'Largest value' },
] as const

function ValueFields({ measured, onChange }: FieldsProps<'value'>) {
  return (
    <div className="flex flex-col gap-2.5">
      <MatcherFields
        label="Event"
        value={measured.happening}
        onChange={(matcher) => onChange({ ...measured, happening: matcher })}
      />
      <div className="grid items-end gap-2 sm:grid-cols-2">
        <Select
          aria-label="Value"
          options={valueKinds}
          value={measured.of}
          onChange={(of) => onChange({ ...measured, of })}
        />
        <PropertyField
          label="Property"
          value={measured.property}
          event={measured.happening.event}
          onChange={(property) => onChange({ ...measured, property })}
        />
      </div>
      <BoundFields
        label="Value of one person"
        value={measured}
        onChange={(bounds) => onChange(withoutUndefined({ ...measured, ...bounds }))}
      />
    </div>
  )
}

const vitals = vitalProperties.map((value) => ({ value, label: propertyLabel(value) }))

function QuantileFields({ measured, isVital, onChange }: FieldsProps<'quantile'> & { isVital: boolean }) {
  return (
    <div className="flex flex-col gap-2.5">
      {isVital ? (
        <Field label="Web vital">
          <Select
            options={vitals}
            value={measured.property}
            onChange={(property) => onChange({ ...measured, property })}
          />
        </Field>
      ) : (
        <>
          <MatcherFields
            label="Event"
            value={measured.happening}
            onChange={(matcher) => onChange({ ...measured, happening: matcher })}
          />
          <PropertyField
            label="Property"
            value={measured.property}
            event={measured.happening.event}
            onChange={(property) => onChange({ ...measured, property })}
          />
        </>
      )}
      <Field label="Percentile">
        <NumberInput
          value={Number((measured.level * 100).toFixed(1))}
          min={1}
          max={99.9}
          step={0.1}
          onChange={(next) => onChange({ ...measured, level: (next ?? 50) / 100 })}
        />
      </Field>
    </div>
  )
}

const mostSteps = 10

function StepFields({
  steps,
  onChange,
}: {
  steps: readonly EventMatcher[]
  onChange: (next: EventMatcher[]) => void
}) {
  return (
    <div className="flex flex-col gap-2.5">
      {steps.map((step, i) => (
        // steps have no identity but their place
        <div key={i} className="flex items-start gap-1.5">
          <div className="min-w-0 grow">
            <MatcherFields
              label={`Step ${i + 1}`}
              value={step}
              onChange={(next) => onChange(steps.with(i, next))}
            />
          </div>
          <IconButton
            label={`Remove step ${i + 1}`}
            icon={<Icon of={X} />}
            onClick={() => onChange(steps.toSpliced(i, 1))}
            disabledReason={steps.length > 2 ? undefined : 'A funnel has at least two steps.'}
          />
        </div>
      ))}
      <div>
        <Button
          size="sm"
          icon={<Icon of={Plus} />}
          onClick={() => onChange([...steps, noEvent])}
          disabledReason={steps.length < mostSteps ? undefined : `A funnel has at most ${mostSteps} steps.`}
        >
          Add a step
        </Button>
      </div>
    </div>
  )
}

type ValueMetric = Extract<MeasuredMetric, { type: 'value' }>

interface SurveyFieldsProps {
  measured: ValueMetric
  surveys: readonly SurveyChoice[]
  onChange: (next: ValueMetric) => void
}

const answerKey = (query: string): string => `$survey_response_${query}`

/** The rating of a survey that is measured. An answer’s property is named after its question. */
function SurveyFields({ measured, surveys, onChange }: SurveyFieldsProps) {
  const options = surveys.flatMap(({ name, questions }) =>
    questions.map(({ id, label }) => ({ value: id, label, hint: name })),
  )
  const chosen = options.find(({ value }) => answerKey(value) === measured.property)
  const choose = (query: string | null) => {
    const survey = surveys.find(({ questions }) => questions.some(({ id }) => id === query))
    if (query === null || !survey) return
    onChange({
      ...measured,
      property: answerKey(query),
      happening: {
        event: measured.happening.event,
        filter: { type: 'event', key: '$survey_id', operator: 'exact', value: [survey.id] },
      },
    })
  }
  return (
    <Field label="Question of a survey" hint="Ratings, of people who answer after their exposure.">
      <Combobox
        placeholder="Choose a question"
        options={options}
        value={chosen?.value ?? null}
        onChange={choose}
        nothingFound={options.length === 0 ? 'No survey has a rating yet' : undefined}
        required
      />
    </Field>
  )
}
