'use client'

import type { ChoiceQuestion } from '#surveys/question'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { useProblem } from '../../builder/BuilderContext'
import { ChoiceListFields } from '../../builder/ChoiceListFields'
import { usePut } from '../../builder/put-question'

export function ChoiceFields({ question }: { question: ChoiceQuestion }) {
  const put = usePut(question)
  return (
    <>
      <ChoiceListFields question={question} name="choices" />
      <div className="flex flex-col gap-2.5">
        <Checkbox
          label="Open-ended last choice"
          checked={question.hasOther}
          onChange={(hasOther) => put({ hasOther, ...(hasOther && { submitsOnClick: false }) })}
        />
        <Checkbox
          label="Shuffle the choices"
          hint="The open-ended choice stays last."
          checked={question.shufflesChoices}
          onChange={(shufflesChoices) => put({ shufflesChoices })}
        />
        {question.kind === 'single-choice' && !question.hasOther && (
          <Checkbox
            label="Submit on click"
            hint="No button is needed."
            checked={question.submitsOnClick}
            onChange={(submitsOnClick) => put({ submitsOnClick })}
          />
        )}
      </div>
      {question.kind === 'multiple-choice' && <ChoiceBounds question={question} />}
    </>
  )
}

function ChoiceBounds({ question }: { question: ChoiceQuestion }) {
  const put = usePut(question)
  const most = question.choices.length
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="At least" optional {...useProblem(`${question.id}:minChoices`)}>
        <NumberInput
          value={question.minChoices ?? null}
          min={1}
          max={most}
          unit="choices"
          onChange={(next) => put({ minChoices: next ?? undefined })}
        />
      </Field>
      <Field label="At most" optional {...useProblem(`${question.id}:maxChoices`)}>
        <NumberInput
          value={question.maxChoices ?? null}
          min={1}
          max={most}
          unit="choices"
          onChange={(next) => put({ maxChoices: next ?? undefined })}
        />
      </Field>
    </div>
  )
}
