'use client'

import type { QuestionOf } from '#surveys/question'
import { ChoiceListFields } from '../../builder/ChoiceListFields'

export const RankingFields = ({ question }: { question: QuestionOf<'ranking'> }) => (
  <ChoiceListFields question={question} name="choices" />
)
