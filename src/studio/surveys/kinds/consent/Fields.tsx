'use client'

import type { QuestionOf } from '#surveys/question'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { useProblem } from '../../builder/BuilderContext'
import { usePut } from '../../builder/put-question'

export function ConsentFields({ question }: { question: QuestionOf<'consent'> }) {
  const put = usePut(question)
  return (
    <Field label="Text beside the box" {...useProblem(`${question.id}:label`)}>
      <TextInput value={question.label} onChange={({ target }) => put({ label: target.value })} />
    </Field>
  )
}
