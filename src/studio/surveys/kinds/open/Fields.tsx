'use client'

import type { QuestionOf } from '#surveys/question'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { TextInput } from '#ui/form/TextInput'
import { useProblem } from '../../builder/BuilderContext'
import { usePut } from '../../builder/put-question'

export function OpenFields({ question }: { question: QuestionOf<'open'> }) {
  const put = usePut(question)
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <Field label="Placeholder" optional {...useProblem(`${question.id}:placeholder`)}>
        <TextInput
          value={question.placeholder}
          onChange={({ target }) => put({ placeholder: target.value })}
        />
      </Field>
      <Field label="Minimum length" optional {...useProblem(`${question.id}:minLength`)}>
        <NumberInput
          value={question.minLength ?? null}
          min={1}
          max={10_000}
          unit="characters"
          onChange={(next) => put({ minLength: next ?? undefined })}
        />
      </Field>
      <Field label="Maximum length" optional {...useProblem(`${question.id}:maxLength`)}>
        <NumberInput
          value={question.maxLength ?? null}
          min={1}
          max={10_000}
          unit="characters"
          onChange={(next) => put({ maxLength: next ?? undefined })}
        />
      </Field>
    </div>
  )
}
