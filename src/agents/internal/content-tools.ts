import { z } from 'zod'
import { failedOutcome } from '#projects/problems'
import { countedAnswers } from '#surveys/results/question-results'
import { amount, number, plural } from '#ui/format'
import { defineTool, found } from './agent-tool'

const mostPosts = 100

export const contentTools = [
  defineTool({
    name: 'list_surveys',
    title: 'List surveys',
    description: 'The surveys of the project with their state. survey_results counts the answers of one.',
    input: z.object({}),
    rights: ['surveys:read'],
    answer: async ({ product, project, viewer }) => {
      const all = (await product.surveys.list(project.id, viewer)).filter(({ archivedAt }) => !archivedAt)
      return found({
        sentence: `${plural(all.length, 'survey')}.`,
        path: 'surveys',
        table: {
          columns: ['id', 'name', 'starts', 'ends'].map((name) => ({ name, as: 'text' })),
          rows: all.map(({ id, name, startsAt, endsAt }) => [
            id,
            name,
            startsAt?.toISOString() ?? 'is a draft',
            endsAt?.toISOString() ?? '',
          ]),
        },
      })
    },
  }),
  defineTool({
    name: 'list_survey_templates',
    title: 'List templates of surveys',
    description:
      'Surveys to begin with, with when each helps. Programs find the whole input of each in `data`.',
    input: z.object({}),
    rights: ['surveys:read'],
    answer: async ({ product, project, viewer }) => {
      const templates = product.surveys.templates(project.id, viewer)
      return found({
        sentence: `${plural(templates.length, 'template')} of surveys.`,
        path: 'surveys/new',
        table: {
          columns: ['id', 'name', 'when it helps', 'questions'].map((name) => ({ name, as: 'text' })),
          rows: templates.map(({ id, name, description, input }) => [
            id,
            name,
            description,
            String(input.content.questions.length),
          ]),
        },
        data: { templates },
      })
    },
  }),
  defineTool({
    name: 'survey_results',
    title: 'Read the results of a survey',
    description: 'How many saw and answered a survey, and the counted answers to each of its parts.',
    input: z.object({ id: z.string().max(100) }),
    rights: ['surveys:read'],
    answer: async ({ product, project, viewer, input: { id } }) => {
      const outcome = await product.surveys.results.results(project.id, id, {}, viewer)
      if (!outcome.done) return outcome
      const { shown, submissions, responseRate, questions, at, waitingEvents } = outcome.results
      const rate = responseRate
        ? `, ${amount(responseRate.value, 'percent')} of those who saw it (95% interval ${amount(responseRate.low, 'percent')} to ${amount(responseRate.high, 'percent')})`
        : ''
      return found({
        sentence: `${plural(submissions.responded, 'response')}${rate}; it was shown ${number(shown)} times.`,
        path: `surveys/${id}/results`,
        counted: { at, waitingEvents },
        table: {
          columns: [
            { name: 'part', as: 'text' },
            { name: 'answer', as: 'text' },
            { name: 'count', as: 'number' },
          ],
          rows: questions.flatMap((one) =>
            countedAnswers(one).map(({ answer, count }) => [one.text, answer, count]),
          ),
        },
      })
    },
  }),
  defineTool({
    name: 'list_posts',
    title: 'List posts and pages',
    description: 'Posts and pages of the site with their state. read_post reads the text of one.',
    input: z.object({
      search: z.string().max(200).optional(),
      state: z.enum(['draft', 'scheduled', 'published', 'archived']).optional(),
    }),
    rights: ['project:read'],
    answer: async ({ product, project, viewer, input }) => {
      const all = await product.posts.list(project.id, viewer, input)
      return found({
        sentence: `${plural(all.length, 'post or page', 'posts and pages')}.`,
        path: 'site/posts',
        table: {
          columns: ['id', 'title', 'kind', 'state', 'tags'].map((name) => ({ name, as: 'text' })),
          rows: all
            .slice(0, mostPosts)
            .map((post) => [
              post.id,
              post.title,
              post.kind,
              product.posts.stateOf(post),
              post.tags.join(', '),
            ]),
        },
        rowsInAll: all.length,
      })
    },
  }),
  defineTool({
    name: 'read_post',
    title: 'Read a post',
    description: 'The text of a post or page in Markdown, as its authors see it.',
    input: z.object({ id: z.string().max(300) }),
    rights: ['project:read'],
    answer: async ({ product, project, viewer, input: { id } }) => {
      const post = await product.posts.find(project.id, id, viewer)
      if (!post) return failedOutcome('There is no such post in this project.', 'id')
      const { title, body, excerpt, tags } = post
      return found({
        sentence: `“${title}” (${product.posts.stateOf(post)}). Its text is in \`body\`.`,
        path: `site/posts/${id.split('/').map(encodeURIComponent).join('/')}`,
        data: { title, excerpt, tags, body },
      })
    },
  }),
]
