import type { Choice, Question, QuestionTranslation } from '../question'
import type { EndCard, FormattedText, SurveyContent, SurveyScreen } from '../survey'

/** The exact tag wins, then its base language, as in posthog-js; undefined where no translation fits. */
export function languageAmong(wanted: readonly string[], available: readonly string[]): string | undefined {
  const find = (tag: string): string | undefined =>
    available.find((one) => one.toLowerCase() === tag.toLowerCase())
  for (const tag of wanted) {
    const found = find(tag) ?? find(tag.split('-', 1)[0] ?? '')
    if (found !== undefined) return found
  }
  return undefined
}

/** The tags of an `Accept-Language` header, the most wanted first. */
export function acceptedLanguages(header: string | undefined): string[] {
  const weighted = (header ?? '').split(',').flatMap((part) => {
    const [tag = '', ...parameters] = part.trim().split(/\s*;\s*/)
    const weight = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1)
    return tag !== '' && tag !== '*' && weight > 0 ? [{ tag, weight }] : []
  })
  return weighted.toSorted((one, other) => other.weight - one.weight).map(({ tag }) => tag)
}

/** Replaces the texts of a survey by those of a translation. Texts without one stay as they are; ids never change. */
export function contentIn(content: SurveyContent, language: string | undefined): SurveyContent {
  const translation = language === undefined ? undefined : content.translations[language]
  if (!translation) return content
  return {
    ...content,
    intro: content.intro && translateScreen(content.intro, translation.intro),
    endCards: content.endCards.map((card): EndCard => ({
      ...card,
      ...translateScreen(card, translation.endCards?.[card.id]),
    })),
    questions: content.questions.map((question) =>
      translateQuestion(question, translation.questions?.[question.id]),
    ),
  }
}

type ScreenTranslation = Partial<Record<keyof SurveyScreen, string>> | undefined

const translateScreen = (screen: SurveyScreen, translation: ScreenTranslation): SurveyScreen => ({
  header: translation?.header || screen.header,
  description: translateText(screen.description, translation?.description),
  buttonText: translation?.buttonText || screen.buttonText,
})

const translateText = (text: FormattedText, translation: string | undefined): FormattedText =>
  translation ? { ...text, text: translation } : text

function translateQuestion(question: Question, translation: QuestionTranslation | undefined): Question {
  if (!translation) return question
  const { description, choices, rows, columns, ...texts } = translation
  const given = Object.entries(texts).filter(([name, text]) => text && name in question)
  const lists = Object.entries({ choices, rows, columns }).flatMap(([name, list]) =>
    // the name is that of a list of choices wherever the question has it
    name in question ? [[name, translateChoices(question[name as keyof Question] as never, list)]] : [],
  )
  return {
    ...question,
    ...Object.fromEntries([...given, ...lists]),
    description: translateText(question.description, description),
  }
}

const translateChoices = (choices: readonly Choice[], texts: readonly string[] | undefined): Choice[] =>
  choices.map((choice, index) => ({ ...choice, text: texts?.[index] || choice.text }))
