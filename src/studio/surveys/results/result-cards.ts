import type { Survey } from '#surveys/survey'
import { shownText } from '../builder/flow-words'
import { kindResults } from '../kinds/kind-results'
import type { ResultCard } from './CardMenu'
import { narrowingOf, type ResultsFilter } from './results-filter'

const longestTitle = 80
const overTimeWords = ' (over time)'

/** The results that can be cards of a dashboard, as they are narrowed now. */
export function resultCards(
  { id: survey, name, content }: Pick<Survey, 'id' | 'name' | 'content'>,
  listFilter: ResultsFilter,
): ResultCard[] {
  const { onlyRemoved: _, tag: _tag, filter, ...narrowing } = narrowingOf(listFilter)
  const cardOf = (label: string, title: string, more: object): ResultCard => ({
    label,
    content: {
      type: 'question',
      title: title.slice(0, longestTitle),
      question: { kind: 'survey', survey, ...narrowing, ...(filter && { filter }), ...more },
    },
  })
  const questions = content.questions.filter(({ kind }) => kindResults[kind].isCard)
  return [
    cardOf('Responses and rates', name, {}),
    ...questions.flatMap(({ id: about, kind, text }) => {
      const title = shownText(text)
      if (kind !== 'rating') return [cardOf(title, title, { about })]
      const overTime = { about, interval: narrowing.period === '7d' ? 'day' : 'week' }
      const named = `${title.slice(0, longestTitle - overTimeWords.length)}${overTimeWords}`
      return [cardOf(title, title, { about }), cardOf(`${title}${overTimeWords}`, named, overTime)]
    }),
  ]
}
