import type { SurveyQuestion } from '#surveys/question'
import { useBuilder } from './BuilderContext'
import { replaceQuestion } from './content-changes'

/** Returns a function that changes some fields of a question. */
export function usePut<Question extends SurveyQuestion>(question: Question) {
  const { changeContent } = useBuilder()
  return (part: Partial<Question>) =>
    changeContent((content) => replaceQuestion(content, { ...question, ...part }))
}
