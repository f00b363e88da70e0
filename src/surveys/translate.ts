import type { Choice, SurveyQuestion, QuestionTranslation } from './question'
import type { SurveyContent, SurveyScreen } from './survey'

type Translatable = Pick<SurveyContent, 'questions' | 'intro' | 'endCards' | 'translations'>

/** Picks a translation: the whole tag first (`pt-BR`), then its base language (`pt`); undefined for the survey's own. */
export function languageFor(
  { translations }: Pick<SurveyContent, 'translations'>,
  wanted: readonly string[],
): string | undefined {
  const known = Object.keys(translations)
  for (const tag of wanted) {
    const tags = [tag, tag.split('-')[0] ?? tag].map((one) => one.toLowerCase())
    const match = tags.flatMap((one) => known.find((name) => name.toLowerCase() === one) ?? [])[0]
    if (match !== undefined) return match
  }
  return undefined
}

/** The content in a language; a text without a translation stays in the survey's own. */
export function translated<Content extends Translatable>(
  content: Content,
  language: string | undefined,
): Content {
  const translation = language === undefined ? undefined : content.translations[language]
  if (!translation) return content
  return {
    ...content,
    intro: content.intro && translatedScreen(content.intro, translation.intro),
    endCards: content.endCards.map((card) => translatedScreen(card, translation.endCards?.[card.id])),
    questions: content.questions.map((question) =>
      translatedQuestion(question, translation.questions?.[question.id]),
    ),
  }
}

const filled = (text: string | undefined, own: string): string => text || own

const translatedScreen = <Screen extends SurveyScreen>(
  screen: Screen,
  texts: Partial<Record<keyof SurveyScreen, string>> = {},
): Screen => ({
  ...screen,
  header: filled(texts.header, screen.header),
  buttonText: filled(texts.buttonText, screen.buttonText),
  description: { ...screen.description, text: filled(texts.description, screen.description.text) },
})

function translatedQuestion(question: SurveyQuestion, texts: QuestionTranslation = {}): SurveyQuestion {
  const shared = {
    text: filled(texts.text, question.text),
    buttonText: filled(texts.buttonText, question.buttonText),
    description: { ...question.description, text: filled(texts.description, question.description.text) },
  }
  switch (question.kind) {
    case 'open':
      return { ...question, ...shared, placeholder: filled(texts.placeholder, question.placeholder) }
    case 'rating':
      return {
        ...question,
        ...shared,
        lowerLabel: filled(texts.lowerLabel, question.lowerLabel),
        upperLabel: filled(texts.upperLabel, question.upperLabel),
      }
    case 'single-choice':
    case 'multiple-choice':
    case 'ranking':
      return { ...question, ...shared, choices: translatedChoices(question.choices, texts.choices) }
    case 'picture':
      return { ...question, ...shared, choices: translatedChoices(question.choices, texts.choices) }
    case 'matrix':
      return {
        ...question,
        ...shared,
        rows: translatedChoices(question.rows, texts.rows),
        columns: translatedChoices(question.columns, texts.columns),
      }
    case 'link':
      return { ...question, ...shared, link: filled(texts.link, question.link) }
    case 'consent':
      return { ...question, ...shared, label: filled(texts.label, question.label) }
    default:
      return { ...question, ...shared }
  }
}

const translatedChoices = <One extends Choice>(
  choices: readonly One[],
  texts: readonly string[] = [],
): One[] => choices.map((choice, index) => ({ ...choice, text: filled(texts[index], choice.text) }))
