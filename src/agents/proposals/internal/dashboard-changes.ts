import { z } from 'zod'
import { type CardContent, cardInput, editableDashboard } from '#dashboards/dashboard'
import { newAnnotation } from '#insights/annotations/annotations'
import { insightFields } from '#insights/saved/insight-schema'
import { queryText } from '#insights/text/query-text'
import { failedOutcome } from '#projects/problems'
import { plural } from '#ui/format'
import { defineChange, givenIn, numbered, partLines, reasonField } from './proposable-change'

const rights = { reads: ['events:read'], right: 'insights:write' } as const

const cardWords = (content: CardContent): string =>
  content.type === 'question'
    ? `“${content.title}”`
    : content.type === 'text'
      ? `text “${content.text}”`
      : `a saved ${content.type}`

const pathOf = (dashboard: string): string => `dashboards/${dashboard}`

export const dashboardChanges = [
  defineChange({
    name: 'annotate',
    title: 'Annotate the charts',
    description: 'Writes a note at an instant, which charts show.',
    input: z.strictObject({ ...newAnnotation.shape, ...reasonField }),
    ...rights,
    isDestructive: false,
    alwaysAsks: () => false,
    async preview({ input: { at, text } }) {
      const lines = partLines({ Text: text, At: at.toISOString() })
      return {
        done: true,
        preview: { sentence: 'Annotate the charts.', lines, thing: 'web', version: undefined },
      }
    },
    async make({ services, projectId, viewer, input }) {
      const outcome = await services.insights.annotations.create(projectId, givenIn(input), viewer)
      return outcome.done ? { done: true, path: 'web' } : outcome
    },
  }),
  defineChange({
    name: 'save_insight',
    title: 'Save an insight',
    description: 'Saves a query under a name. The query is as run_query takes it.',
    input: z.strictObject({
      name: insightFields.name,
      question: insightFields.question,
      description: insightFields.description.default(''),
      folder: insightFields.folder.default(''),
      ...reasonField,
    }),
    ...rights,
    isDestructive: false,
    alwaysAsks: () => false,
    async preview({ services, input: { name, question, description, folder } }) {
      const read = services.insights.read(question)
      if (!read.done) return read
      const lines = partLines({
        Name: name,
        Description: description,
        Folder: folder,
        Query: queryText(read.question),
      })
      const sentence = 'Save an insight.'
      return { done: true, preview: { sentence, lines, thing: 'insights', version: undefined } }
    },
    async make({ services, projectId, viewer, input }) {
      const outcome = await services.insights.saved.create(projectId, givenIn(input), viewer)
      return outcome.done ? { done: true, path: `insights/${outcome.insight.id}` } : outcome
    },
  }),
  defineChange({
    name: 'create_dashboard',
    title: 'Create a dashboard',
    description: 'Makes a dashboard of saved insights, queries of its own, results of experiments and texts.',
    input: z.strictObject({
      ...editableDashboard.pick({ name: true, description: true, cards: true }).shape,
      ...reasonField,
    }),
    ...rights,
    isDestructive: false,
    alwaysAsks: () => false,
    async preview({ input: { name, description, cards } }) {
      const contents = cards.map(({ content }) => cardWords(content))
      const lines = partLines({ Name: name, Description: description, Cards: contents })
      const sentence = `Create a dashboard with ${plural(cards.length, 'card')}.`
      return { done: true, preview: { sentence, lines, thing: 'dashboards', version: undefined } }
    },
    async make({ services, projectId, viewer, input }) {
      const outcome = await services.dashboards.create(projectId, givenIn(input), viewer)
      return outcome.done ? { done: true, path: pathOf(outcome.dashboard.id) } : outcome
    },
  }),
  defineChange({
    name: 'add_to_dashboard',
    title: 'Add a card to a dashboard',
    description: 'Puts one card onto a dashboard, at its end unless a place is given.',
    input: z.strictObject({
      dashboard: z.string().max(100),
      ...cardInput.pick({ place: true, content: true }).shape,
      ...reasonField,
    }),
    ...rights,
    isDestructive: false,
    alwaysAsks: () => false,
    async preview({ services, projectId, viewer, input: { dashboard: id, content } }) {
      const dashboard = await services.dashboards.find(projectId, id, viewer)
      if (!dashboard || dashboard.archivedAt)
        return failedOutcome('There is no such dashboard in this project.', 'dashboard')
      const preview = {
        sentence: `Add a card to the dashboard “${dashboard.name}”.`,
        lines: partLines({ Card: [cardWords(content)] }),
        thing: pathOf(id),
        version: String(dashboard.version),
      }
      return { done: true, preview }
    },
    async make({ services, projectId, viewer, version, input }) {
      const { dashboard: id, ...card } = givenIn(input)
      const outcome = await services.dashboards.addCard(
        projectId,
        String(id),
        card,
        viewer,
        numbered(version),
      )
      return outcome.done ? { done: true, path: pathOf(input.dashboard) } : outcome
    },
  }),
]
