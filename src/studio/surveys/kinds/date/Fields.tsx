'use client'

import type { QuestionOf } from '#surveys/question'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { useProblem } from '../../builder/BuilderContext'
import { usePut } from '../../builder/put-question'

export function DateFields({ question }: { question: QuestionOf<'date'> }) {
  const put = usePut(question)
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Earliest day" optional {...useProblem(`${question.id}:earliest`)}>
        <TextInput
          type="date"
          value={question.earliest ?? ''}
          onChange={({ target }) => put({ earliest: target.value || undefined })}
        />
      </Field>
      <Field label="Latest day" optional {...useProblem(`${question.id}:latest`)}>
        <TextInput
          type="date"
          value={question.latest ?? ''}
          onChange={({ target }) => put({ latest: target.value || undefined })}
        />
      </Field>
    </div>
  )
}
