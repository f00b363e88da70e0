import { z } from 'zod'
import { propertyLabel } from '#events/taxonomy'
import { filterInWords } from '#filters/words'
import { answerSettingsOf } from '#insights/project-settings'
import { number, plural } from '#ui/format'
import { below, defineTool, found, type ToolCall } from './agent-tool'

const nameFilter = z.string().max(200).optional().describe('Only names that contain this text')
const mostNames = 200
/** Each takes a statement. */
const mostWithExamples = 10
const mostExamples = 5
const longestExample = 40

export const projectTools = [
  defineTool({
    name: 'get_project',
    title: 'Read the project',
    description:
      'The project of this key: its name, time zone, currency and how visits are counted. Read this first.',
    input: z.object({}),
    rights: ['project:read'],
    answer: async ({ project }) => {
      const { currency, bounceRule, weekStart, testAccounts } = answerSettingsOf(project)
      return found({
        sentence: `The project “${project.name}” counts days in ${project.timeZone} and money in ${currency}. Weeks begin on ${weekStart}.`,
        notes: [
          `A visit of one page is a bounce by the rule “${bounceRule}”.`,
          testAccounts ? 'Internal users are left out of answers.' : 'No internal users are defined.',
        ],
        path: '',
        data: { id: project.id, slug: project.slug, timeZone: project.timeZone, currency },
      })
    },
  }),
  defineTool({
    name: 'list_events',
    title: 'List events',
    description:
      'The events that the project receives, with how often in the last 30 days and what members say of them. Read this before a query, and use the names as they are.',
    input: z.object({ search: nameFilter }),
    rights: ['events:read'],
    answer: async ({ product, project, viewer, input: { search = '' } }) => {
      const all = await product.insights.catalogue.events(project.id, viewer)
      const wanted = all.filter(({ name, label }) => isNamed(search, name, label))
      return found({
        sentence: `${plural(wanted.length, 'event')} of ${number(all.length)} ${search === '' ? 'are known' : 'have a name like this'}.`,
        path: 'settings/events',
        table: {
          columns: [
            { name: 'event', as: 'text' },
            { name: 'label', as: 'text' },
            { name: 'last 30 days', as: 'number' },
            { name: 'last seen', as: 'text' },
            { name: 'about', as: 'text' },
          ],
          rows: wanted
            .slice(0, mostNames)
            .map(({ name, label, count, lastAt, definition, about }) => [
              name,
              label,
              count,
              lastAt.toISOString(),
              definition.description || (about ?? ''),
            ]),
        },
        rowsInAll: wanted.length,
      })
    },
  }),
  defineTool({
    name: 'list_properties',
    title: 'List properties',
    description:
      'The properties of events and persons that the project receives, with the events that have them. Where a search leaves at most ten, their most frequent values of the last 30 days stand beside them, with how often. Use the keys as they are in filters and breakdowns.',
    input: z.object({ search: nameFilter, of: z.enum(['event', 'person']).optional() }),
    rights: ['events:read'],
    answer: async ({ product, project, viewer, input: { search = '', of } }) => {
      const all = await product.insights.catalogue.properties(project.id, viewer)
      const wanted = all.filter(
        ({ key, label, type }) => isNamed(search, key, label) && (of === undefined || of === type),
      )
      const shown = wanted.slice(0, mostNames)
      const examples =
        wanted.length > mostWithExamples
          ? []
          : await Promise.all(shown.map((one) => examplesOf(one, { product, project, viewer })))
      return found({
        sentence: `${plural(wanted.length, 'property', 'properties')} of ${number(all.length)}.`,
        path: below('settings/events', { show: 'properties' }),
        table: {
          columns: [
            { name: 'property', as: 'text' },
            { name: 'of', as: 'text' },
            { name: 'label', as: 'text' },
            { name: 'events', as: 'text' },
            { name: 'about', as: 'text' },
            { name: 'values, last 30 days', as: 'text' },
          ],
          rows: shown.map(({ key, type, label, events, definition }, i) => [
            key,
            type,
            label,
            events.join(', '),
            definition.description,
            examples[i] ?? null,
          ]),
        },
        rowsInAll: wanted.length,
      })
    },
  }),
  defineTool({
    name: 'list_segments',
    title: 'List goals and segments',
    description:
      'Goals, which say what visitors should reach, and segments, which are saved filters. Programs find their definitions in `data`, as queries take them.',
    input: z.object({}),
    rights: ['events:read'],
    answer: async ({ product, project, viewer }) => {
      const [goals, segments] = await Promise.all([
        product.insights.goals.list(project.id, viewer),
        product.insights.segments.list(project.id, viewer),
      ])
      return found({
        sentence: `${plural(goals.length, 'goal')} and ${plural(segments.length, 'segment')}.`,
        path: 'web/goals',
        table: {
          columns: ['name', 'is a', 'definition'].map((name) => ({ name, as: 'text' })),
          rows: [
            ...goals.map(({ name, goal }) => [name, 'goal', JSON.stringify(goal)]),
            ...segments.map(({ name, filter }) => [name, 'segment', filterInWords(filter, propertyLabel)]),
          ],
        },
        data: {
          goals: goals.map(({ name, goal }) => ({ name, goal })),
          segments: segments.map(({ name, filter }) => ({ name, filter })),
        },
      })
    },
  }),
]

/** "DE (120), FR (8)": of events how many had it, of persons how many were seen. */
async function examplesOf(
  { type, key }: { type: string; key: string },
  { product, project, viewer }: Pick<ToolCall, 'product' | 'project' | 'viewer'>,
): Promise<string> {
  const outcome = await product.insights.names.values(project.id, { type, key }, viewer)
  if (!outcome.done) return ''
  return outcome.values
    .slice(0, mostExamples)
    .map(({ value, count }) => `${value.slice(0, longestExample)} (${number(count)})`)
    .join(', ')
}

const isNamed = (search: string, ...names: readonly string[]): boolean =>
  names.some((name) => name.toLowerCase().includes(search.toLowerCase()))
