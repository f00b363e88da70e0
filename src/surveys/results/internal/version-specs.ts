import type { AnswerSpec, VersionSpec } from '#insights/kinds/survey/schema'
import { ratingValues } from '../../flow'
import type { SurveyQuestion, QuestionTranslation } from '../../question'
import type { SurveyContent, SurveyVersion } from '../../survey'

/** Returns the way in which answers are read in each version of a survey, the oldest version first. */
export const versionSpecs = (versions: readonly SurveyVersion[]): VersionSpec[] =>
  versions
    .toSorted((one, other) => one.version - other.version)
    .map(({ version, createdAt, content }) => ({
      version,
      from: createdAt.toISOString(),
      questions: content.questions.map((question) => specOf(question, content)),
    }))

function specOf(question: SurveyQuestion, content: SurveyContent): AnswerSpec {
  const { id, kind } = question
  switch (kind) {
    case 'rating': {
      const values = ratingValues(question.scale)
      return { id, kind, least: values[0] ?? 1, most: values.at(-1) ?? question.scale }
    }
    case 'single-choice':
    case 'multiple-choice':
      return { id, kind, ...choicesOf(question, content), hasOther: question.hasOther }
    case 'ranking':
    case 'picture':
      return { id, kind, ...choicesOf(question, content) }
    case 'matrix':
      return { id, kind, rows: idsOf(question.rows), columns: idsOf(question.columns) }
    default:
      return { id, kind }
  }
}

const idsOf = (choices: readonly { id: string }[]): string[] => choices.map(({ id }) => id)

function choicesOf(
  { id, choices }: { id: string; choices: readonly { id: string; text: string }[] },
  { translations }: SurveyContent,
): Pick<AnswerSpec, 'choices' | 'texts'> {
  const texts: Record<string, string[]> = { '': choices.map(({ text }) => text) }
  for (const [language, translation] of Object.entries(translations)) {
    const translated: QuestionTranslation['choices'] = translation.questions?.[id]?.choices
    // a choice without a translation is shown in the survey's own language
    if (translated) texts[language] = choices.map(({ text }, i) => translated[i] || text)
  }
  return { choices: idsOf(choices), texts }
}
