import { z } from 'zod'
import { answerSettingsOf } from '#insights/project-settings'
import { number, plural } from '#ui/format'
import { below, defineTool, found } from './agent-tool'

const nameFilter = z.string().max(200).optional().describe('Only names that contain this text')
const mostNames = 200

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
      'The properties of events and persons that the project receives, with the events that have them. Use the keys as they are in filters and breakdowns.',
    input: z.object({ search: nameFilter, of: z.enum(['event', 'person']).optional() }),
    rights: ['events:read'],
    answer: async ({ product, project, viewer, input: { search = '', of } }) => {
      const all = await product.insights.catalogue.properties(project.id, viewer)
      const wanted = all.filter(
        ({ key, label, type }) => isNamed(search, key, label) && (of === undefined || of === type),
      )
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
          ],
          rows: wanted
            .slice(0, mostNames)
            .map(({ key, type, label, events, definition }) => [
              key,
              type,
              label,
              events.join(', '),
              definition.description,
            ]),
        },
        rowsInAll: wanted.length,
      })
    },
  }),
]

const isNamed = (search: string, ...names: readonly string[]): boolean =>
  names.some((name) => name.toLowerCase().includes(search.toLowerCase()))
