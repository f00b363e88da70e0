'use client'

import type { QuestionOf } from '#surveys/question'
import { Checkbox } from '#ui/form/Checkbox'
import { ChoiceListFields } from '../../builder/ChoiceListFields'
import { usePut } from '../../builder/put-question'

export function PictureFields({ question }: { question: QuestionOf<'picture'> }) {
  const put = usePut(question)
  return (
    <>
      <ChoiceListFields question={question} name="choices" hasPictures />
      <Checkbox
        label="Allow multiple choices"
        checked={question.allowsSeveral}
        onChange={(allowsSeveral) => put({ allowsSeveral })}
      />
    </>
  )
}
