import { z } from 'zod'
import { conditionWords, stateLabels } from '#alerts/alert-words'
import { verdictWords } from '#alerts/verdict-words'
import { watchedMetricWords } from '#alerts/watched-metric-words'
import type { SavedCard } from '#dashboards/dashboard'
import type { CardAnswer, CardQueryRunner } from '#dashboards/dashboards'
import { EngineError } from '#engine/engine'
import type { AnsweredQuery } from '#insights/answered-query'
import { periodText } from '#insights/calendar/period'
import { answerSettingsOf } from '#insights/project-settings'
import { failedOutcome, type Outcome } from '#projects/problems'
import { plural } from '#ui/format'
import type { CallBudget } from './agent-budgets'
import { below, defineTool, found } from './agent-tool'
import { answerSentence } from './answer-sentence'
import { approximationNotes } from './asked-query'

const texts = (...names: string[]) => names.map((name) => ({ name, as: 'text' as const }))
const mostNotes = 200

export const boardTools = [
  defineTool({
    name: 'list_dashboards',
    title: 'List dashboards',
    description: 'The dashboards of the project. read_dashboard says what each card of one shows.',
    input: z.object({}),
    rights: ['events:read'],
    answer: async ({ product, project, viewer }) => {
      const all = (await product.dashboards.list(project.id, viewer)).filter(({ archivedAt }) => !archivedAt)
      return found({
        sentence: `${plural(all.length, 'dashboard')}.`,
        path: 'dashboards',
        table: {
          columns: texts('id', 'name', 'cards', 'is home', 'about'),
          rows: all.map(({ id, name, cards, isHome, description }) => [
            id,
            name,
            String(cards.length),
            isHome ? 'yes' : 'no',
            description,
          ]),
        },
      })
    },
  }),
  defineTool({
    name: 'read_dashboard',
    title: 'Read a dashboard',
    description:
      'A sentence for each card of a dashboard, in its own period or in one for all cards. run_query answers what a sentence leaves out.',
    input: z.object({ id: z.string().max(100), period: periodText.optional() }),
    rights: ['events:read'],
    answer: async ({ product, project, viewer, input: { id, period }, signal, budget }) => {
      const dashboard = await product.dashboards.find(project.id, id, viewer)
      if (!dashboard) return failedOutcome('There is no such dashboard.', 'id')
      const look = { ...dashboard.look, ...(period !== undefined && { period }) }
      const ask = product.dashboards.asking(project.id, look, viewer)
      const { currency } = answerSettingsOf(project)
      const told = await Promise.all(
        dashboard.cards.map(async (card) => await cardTold(card, ask, { currency, signal, budget })),
      )
      return found({
        sentence: `“${dashboard.name}” has ${plural(dashboard.cards.length, 'card')}.`,
        notes: approximationNotes(told.find(({ approximate }) => approximate)?.approximate),
        path: below(`dashboards/${id}`, { period }),
        table: {
          columns: texts('card', 'says', 'counted at'),
          rows: told.map(({ title, sentence, at }) => [title, sentence, at?.toISOString() ?? null]),
        },
      })
    },
  }),
  defineTool({
    name: 'list_annotations',
    title: 'List annotations',
    description:
      'Notes of members on days of the charts, such as releases: look here for why a number moved.',
    input: z.object({ search: z.string().max(200).optional() }),
    rights: ['events:read'],
    answer: async ({ product, project, viewer, input: { search = '' } }) => {
      const all = await product.insights.annotations.list(project.id, viewer)
      const wanted = all.filter(({ text }) => text.toLowerCase().includes(search.toLowerCase()))
      return found({
        sentence: `${plural(wanted.length, 'annotation')}, the latest first.`,
        path: 'web',
        table: {
          columns: texts('at', 'text', 'on'),
          rows: wanted
            .slice(0, mostNotes)
            .map(({ at, text, scope }) => [
              at.toISOString(),
              text,
              scope === 'project' ? 'all charts' : `one ${scope}`,
            ]),
        },
        rowsInAll: wanted.length,
      })
    },
  }),
  defineTool({
    name: 'list_alerts',
    title: 'List alerts',
    description: 'The alerts of the project, in words, with their state and the last value.',
    input: z.object({}),
    rights: ['events:read'],
    answer: async ({ product, project, viewer }) => {
      const all = await product.alerts.list(project.id, viewer)
      const savedInsights = product.insights.saved
      const firing = all.filter(({ verdict }) => verdict?.state === 'firing').length
      return found({
        sentence: `${plural(all.length, 'alert')}, ${firing} firing.`,
        path: 'alerts',
        table: {
          columns: texts('id', 'name', 'when', 'state', 'last value', 'since'),
          rows: await Promise.all(
            all.map(async ({ id, name, watched, condition, verdict, since }) => [
              id,
              name,
              conditionWords(await watchedMetricWords(project.id, watched, { savedInsights }), condition),
              verdict ? stateLabels[verdict.state] : 'Not checked yet',
              verdict ? verdictWords(verdict, 'number') : null,
              since.toISOString(),
            ]),
          ),
        },
      })
    },
  }),
]

interface ToldCard extends Partial<Pick<AnsweredQuery, 'at' | 'approximate'>> {
  title: string
  sentence: string
}

interface CardContext {
  currency: string
  signal: AbortSignal | undefined
  budget: CallBudget
}

/** Says what a card shows. A card that cannot be answered leaves the others alone. */
async function cardTold(card: SavedCard, ask: CardQueryRunner, context: CardContext): Promise<ToldCard> {
  const { content } = card
  if (content.type === 'text') return { title: 'Text', sentence: content.text }
  const outcome = await answerOf(card, ask, context)
  if (!outcome.done)
    return {
      title: content.type === 'question' ? content.title : content.type,
      sentence: outcome.problems.map(({ message }) => message).join(' '),
    }
  if (outcome.kind === 'experiment')
    return { title: outcome.title, sentence: outcome.result.sentence, at: outcome.result.at }
  const { title, answered } = outcome
  const { at, approximate } = answered
  return { title, sentence: answerSentence(answered, context), at, ...(approximate && { approximate }) }
}

async function answerOf(
  card: SavedCard,
  ask: CardQueryRunner,
  { signal, budget }: CardContext,
): Promise<Outcome<CardAnswer>> {
  if (budget.left().rows === 0)
    return failedOutcome('Not answered: the rows of this minute are used up. Ask again in a minute.')
  try {
    return await ask(card, { showsMargin: true, ...(signal && { signal }), onRead: budget.spend })
  } catch (problem) {
    if (!(problem instanceof EngineError)) throw problem
    return failedOutcome(problem.message)
  }
}
