'use client'

import type { QuestionOf } from '#surveys/question'
import { ChoiceListFields } from '../../builder/ChoiceListFields'

export const MatrixFields = ({ question }: { question: QuestionOf<'matrix'> }) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <ChoiceListFields question={question} name="rows" />
    <ChoiceListFields question={question} name="columns" />
  </div>
)
