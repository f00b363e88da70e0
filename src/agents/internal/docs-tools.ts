import { z } from 'zod'
import { plural } from '#ui/format'
import { defineTool, found } from './agent-tool'
import { docsIndex } from './docs-index'

const longestText = 3000

export const docsTools = [
  defineTool({
    name: 'search_docs',
    title: 'Search the documentation of Tilth',
    description:
      'Sections of Tilth’s own documentation about some words: how something is set up, the form of a query, the columns of SQL, why a number is what it is.',
    input: z.object({
      text: z.string().trim().min(1).max(200),
      limit: z.number().int().min(1).max(10).default(3),
    }),
    rights: ['project:read'],
    answer: async ({ input: { text, limit } }) => {
      const sections = (await docsIndex()).find(text, limit)
      return found({
        sentence:
          sections.length === 0
            ? 'The documentation has none of these words. Search for others.'
            : `${plural(sections.length, 'section')} of the documentation.`,
        sections: sections.map(
          ({ address, title, text: section }) => `## ${title} (${address})\n\n${shortened(section)}`,
        ),
        path: '',
        data: { sections },
      })
    },
  }),
]

const shortened = (text: string): string =>
  text.length > longestText ? `${text.slice(0, longestText)}…` : text
