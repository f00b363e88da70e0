import { z } from 'zod'
import { failedOutcome } from '#projects/problems'
import { surveySchema } from '#surveys/survey-schema'
import { surveyTemplates } from '#surveys/templates'
import { defineChange, numbered, partLines, reasonField } from './proposable-change'

const rights = { reads: ['surveys:read'], right: 'surveys:write' } as const
const templateIds = surveyTemplates.map(({ id }) => id)

const pathOf = (survey: string): string => `surveys/${survey}`

const templateNamed = (wanted: string) => surveyTemplates.find(({ id }) => id === wanted)

export const surveyChanges = [
  defineChange({
    name: 'create_survey',
    title: 'Create a survey',
    description: 'Makes a draft of a survey from a template. No visitor sees it before it is launched.',
    input: z.strictObject({
      template: z.enum(templateIds, { error: `Choose one of ${templateIds.join(', ')}.` }),
      name: surveySchema.shape.name.optional(),
      ...reasonField,
    }),
    ...rights,
    isDestructive: false,
    alwaysAsks: () => false,
    async preview({ input: { template: wanted, name } }) {
      const template = templateNamed(wanted)
      if (!template) return failedOutcome('There is no such template.', 'template')
      const lines = partLines({ Name: name ?? template.name, Template: template.name })
      const sentence = 'Create a survey from a template.'
      return { done: true, preview: { sentence, lines, thing: 'surveys', version: undefined } }
    },
    async make({ services, projectId, viewer, input: { template, name } }) {
      const input = { ...templateNamed(template)?.input, ...(name !== undefined && { name }) }
      const outcome = await services.surveys.create(projectId, input, viewer)
      return outcome.done ? { done: true, path: pathOf(outcome.survey.id) } : outcome
    },
  }),
  defineChange({
    name: 'launch_survey',
    title: 'Launch a survey',
    description: 'Launches a draft of a survey: from then on visitors are asked.',
    input: z.strictObject({ id: z.string().max(100), ...reasonField }),
    ...rights,
    isDestructive: false,
    alwaysAsks: () => true,
    async preview({ services, projectId, viewer, input: { id } }) {
      const survey = await services.surveys.find(projectId, id, viewer)
      if (!survey || survey.archivedAt) return failedOutcome('There is no such survey in this project.', 'id')
      if (survey.startsAt) return failedOutcome('The survey was launched already.', 'id')
      const preview = {
        sentence: `Launch the survey “${survey.name}”.`,
        lines: ['Visitors are asked from the launch on'],
        thing: pathOf(id),
        version: String(survey.revision),
      }
      return { done: true, preview }
    },
    async make({ services, projectId, viewer, version, input: { id } }) {
      const outcome = await services.surveys.launch(projectId, id, { revision: numbered(version) }, viewer)
      return outcome.done ? { done: true, path: pathOf(id) } : outcome
    },
  }),
]
