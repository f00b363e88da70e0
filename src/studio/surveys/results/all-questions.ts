import type { SurveyQuestion } from '#surveys/question'
import type { Survey, SurveyVersion } from '#surveys/survey'

/** The questions of a survey: those of now, then those that only earlier versions have. */
export function allQuestions(
  { content }: Pick<Survey, 'content'>,
  versions: readonly Pick<SurveyVersion, 'content'>[],
): SurveyQuestion[] {
  const questions = new Map<string, SurveyQuestion>()
  for (const one of [content, ...versions.map((version) => version.content)])
    for (const question of one.questions)
      if (!questions.has(question.id)) questions.set(question.id, question)
  return [...questions.values()]
}
