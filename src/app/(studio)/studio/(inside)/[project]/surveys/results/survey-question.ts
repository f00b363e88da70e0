import { ratingValues } from '#surveys/flow'
import type { Choice, Question, QuestionTranslation } from '#surveys/question'
import type { SurveyVersion } from '#surveys/survey'

interface ResultsInput {
  survey: string
  /** The oldest first. */
  versions: readonly SurveyVersion[]
  period: string
  filter?: unknown
}

/** The question of the kind `survey` that counts the answers of a survey. */
export const resultsQuestion = ({ survey, versions, period, filter }: ResultsInput) => ({
  kind: 'survey',
  survey,
  period,
  ...(filter !== undefined && { filter }),
  versions: versions.map(({ version, createdAt, content }) => ({
    version,
    from: createdAt.toISOString(),
    questions: content.questions.map((question) =>
      answerSpec(
        question,
        Object.entries(content.translations).map(([language, { questions }]) => [
          language,
          questions?.[question.id],
        ]),
      ),
    ),
  })),
})

type Translations = readonly (readonly [language: string, texts: QuestionTranslation | undefined])[]

/** How the answers to a question are read: its scale, or its choices with their texts in every language. */
function answerSpec(question: Question, translations: Translations) {
  const { id, kind } = question
  switch (question.kind) {
    case 'rating': {
      const values = ratingValues(question.scale)
      return { id, kind, least: values[0], most: values.at(-1) }
    }
    case 'single-choice':
    case 'multiple-choice':
      return { id, kind, ...choicesOf(question.choices, translations), hasOther: question.hasOther }
    case 'ranking':
    case 'picture':
      return { id, kind, ...choicesOf(question.choices, translations) }
    case 'matrix':
      return { id, kind, rows: idsOf(question.rows), columns: idsOf(question.columns) }
    default:
      return { id, kind }
  }
}

const idsOf = (list: readonly Choice[]): string[] => list.map(({ id }) => id)

const choicesOf = (choices: readonly Choice[], translations: Translations) => ({
  choices: idsOf(choices),
  texts: Object.fromEntries([
    ['', choices.map(({ text }) => text)],
    ...translations.map(([language, texts]) => [
      language,
      choices.map(({ text }, index) => texts?.choices?.[index] || text),
    ]),
  ]),
})
