'use client'

import type { MeasuredMetric } from '#insights/kinds/experiment/question'
import { Combobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import type { SurveyChoice } from '../editor/choices'

type ValueMetric = Extract<MeasuredMetric, { type: 'value' }>

interface SurveyFieldsProps {
  measured: ValueMetric
  surveys: readonly SurveyChoice[]
  onChange: (next: ValueMetric) => void
}

const answerKey = (question: string): string => `$survey_response_${question}`

/** The rating of a survey that is measured. An answer’s property is named after its question. */
export function SurveyFields({ measured, surveys, onChange }: SurveyFieldsProps) {
  const options = surveys.flatMap(({ name, questions }) =>
    questions.map(({ id, label }) => ({ value: id, label, hint: name })),
  )
  const chosen = options.find(({ value }) => answerKey(value) === measured.property)
  const choose = (question: string | null) => {
    const survey = surveys.find(({ questions }) => questions.some(({ id }) => id === question))
    if (question === null || !survey) return
    onChange({
      ...measured,
      property: answerKey(question),
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
