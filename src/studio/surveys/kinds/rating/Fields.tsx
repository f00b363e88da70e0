'use client'

import { ratingScales } from '#surveys/kinds/rating-scale'
import type { RatingQuestion } from '#surveys/question'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { useProblem } from '../../builder/BuilderContext'
import { usePut } from '../../builder/put-question'

const displays = [
  { value: 'number', label: 'Numbers' },
  { value: 'stars', label: 'Stars' },
  { value: 'emoji', label: 'Faces' },
] as const

const scaleWords: Record<RatingQuestion['scale'], string> = {
  2: 'Thumbs up and down',
  3: '1 to 3',
  5: '1 to 5',
  7: '1 to 7',
  10: '0 to 10 (NPS)',
}
const scales = ratingScales.map((scale) => ({ value: String(scale), label: scaleWords[scale] }))

export function RatingFields({ question }: { question: RatingQuestion }) {
  const put = usePut(question)
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Display" {...useProblem(`${question.id}:display`)}>
          <Select options={displays} value={question.display} onChange={(display) => put({ display })} />
        </Field>
        <Field label="Scale" {...useProblem(`${question.id}:scale`)}>
          <Select
            options={scales}
            value={String(question.scale)}
            onChange={(text) => put({ scale: ratingScales.find((scale) => String(scale) === text) ?? 5 })}
          />
        </Field>
        <Field label="Label of the lowest value" optional>
          <TextInput
            value={question.lowerLabel}
            onChange={({ target }) => put({ lowerLabel: target.value })}
          />
        </Field>
        <Field label="Label of the highest value" optional>
          <TextInput
            value={question.upperLabel}
            onChange={({ target }) => put({ upperLabel: target.value })}
          />
        </Field>
      </div>
      <Checkbox
        label="Submit on click"
        hint="No button is needed."
        checked={question.submitsOnClick}
        onChange={(submitsOnClick) => put({ submitsOnClick })}
      />
    </>
  )
}
