'use client'

import type { QuestionOf } from '#surveys/question'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { useProblem } from '../../builder/BuilderContext'
import { usePut } from '../../builder/put-question'

export function LinkFields({ question }: { question: QuestionOf<'link'> }) {
  const put = usePut(question)
  return (
    <Field label="Link" hint="https or mailto." {...useProblem(`${question.id}:link`)}>
      <TextInput
        inputMode="url"
        value={question.link}
        onChange={({ target }) => put({ link: target.value })}
      />
    </Field>
  )
}
