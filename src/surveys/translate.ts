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

const textNames = ['placeholder', 'lowerLabel', 'upperLabel', 'label', 'link'] as const
export const listNames = ['choices', 'rows', 'columns'] as const
type TextName = (typeof textNames)[number]
export type ListName = (typeof listNames)[number]

/** The texts that only questions of a kind have, by name, and that can be translated. */
export function ownTexts(question: SurveyQuestion): [TextName, string][] {
  // a kind that has a field of these names has a text in it
  const texts = question as Partial<Record<TextName, string>>
  return textNames.flatMap((name) => (texts[name] === undefined ? [] : [[name, texts[name]]]))
}

/** The list of a question; empty where its kind has none of the name. */
export const listOf = (question: SurveyQuestion, name: ListName): readonly Choice[] =>
  // a kind that has a field of these names has choices in it
  (question as Partial<Record<ListName, readonly Choice[]>>)[name] ?? []

/** The lists of a question, by name. */
export const ownLists = (question: SurveyQuestion): [ListName, readonly Choice[]][] =>
  listNames.flatMap((name) => (name in question ? [[name, listOf(question, name)]] : []))

function translatedQuestion(question: SurveyQuestion, texts: QuestionTranslation = {}): SurveyQuestion {
  const shared = {
    text: filled(texts.text, question.text),
    buttonText: filled(texts.buttonText, question.buttonText),
    description: { ...question.description, text: filled(texts.description, question.description.text) },
  }
  const own = {
    ...Object.fromEntries(ownTexts(question).map(([name, text]) => [name, filled(texts[name], text)])),
    ...Object.fromEntries(
      ownLists(question).map(([name, list]) => [name, translatedChoices(list, texts[name])]),
    ),
  }
  return { ...question, ...shared, ...own }
}

const translatedChoices = (choices: readonly Choice[], texts: readonly string[] = []): Choice[] =>
  choices.map((choice, index) => ({ ...choice, text: filled(texts[index], choice.text) }))
