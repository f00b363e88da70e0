import { editableAlert, newAlert } from '#alerts/alert'
import { editableReport, newReport } from '#alerts/report'
import { editableDashboard } from '#dashboards/dashboard'
import { newExperiment } from '#experiments/experiment-input'
import { savedMetricCollection } from '#experiments/metrics/saved-metrics'
import { newEnvironment } from '#flags/environments'
import { mainEnvironment } from '#flags/flag'
import { newFlag } from '#flags/flag-input'
import { editableFlag } from '#flags/flag-schema'
import { holdoutCollection } from '#flags/holdouts'
import { layerCollection } from '#flags/layers/layers'
import { ingestSettingsOf, storedIntakeSettings } from '#ingest/project-settings'
import { readQuery } from '#insights/ask'
import { definitionCollection } from '#insights/catalogue/definitions'
import { goalCollection } from '#insights/goals/goals'
import { answerSettingsOf, answersOfProject } from '#insights/project-settings'
import { insightCollection } from '#insights/saved/saved-insights'
import { segmentCollection } from '#insights/segments/segments'
import { cohortCollection } from '#persons/cohorts/cohorts'
import type { Outcome } from '#projects/problems'
import { projectChanges } from '#projects/project'
import { newSurvey } from '#surveys/survey-input'
import { editableSurvey } from '#surveys/survey-schema'
import { authors, posts, site } from './post-sections'
import { type Fields, fieldsOf, named, type Section, shapeOf, singleKey } from './section'

/** Brings the query at a field into its stored form. */
function normalQuery(fields: Fields): Outcome<{ fields: Fields }> {
  if (fields['question'] === undefined) return { done: true, fields }
  const read = readQuery(fields['question'])
  return read.done
    ? { done: true, fields: { ...fields, question: read.ready.query } }
    : { done: false, problems: read.problems.map((one) => within('question', one)) }
}

const within = <Problem extends { field?: string | undefined }>(
  above: string,
  problem: Problem,
): Problem => ({
  ...problem,
  field: problem.field === undefined ? above : `${above}.${problem.field}`,
})

interface CardFields {
  content?: Fields & { type?: string }
}

/** Cards have new ids in every project. */
function normalCards(fields: Fields): Outcome<{ fields: Fields }> {
  const { cards } = fields as { cards?: readonly CardFields[] } // as the schema of dashboards has parsed it
  if (!cards) return { done: true, fields }
  const read: unknown[] = []
  for (const [i, { id: _, ...card }] of (cards as readonly (CardFields & { id?: string })[]).entries()) {
    const content = normalQuery(card.content ?? {})
    if (!content.done)
      return { done: false, problems: content.problems.map((one) => within(`cards.${i}.content`, one)) }
    read.push({ ...card, content: content.fields })
  }
  return { done: true, fields: { ...fields, cards: read } }
}

const environments: Section = {
  noun: 'environment',
  fields: [],
  schema: newEnvironment.pick({ name: true }),
  named: (name) => ({ name }),
  list: async ({ product, projectId, viewer }) =>
    (await product.flags.environments.list(projectId, viewer))
      .filter(({ name }) => name !== mainEnvironment)
      .map(({ name }) => ({ id: name, key: name, fields: {} })),
  create: ({ product, projectId, viewer }, input) =>
    product.flags.environments.create(projectId, input, viewer),
  change: async () => ({ done: true }),
}

const flagFields = shapeOf(editableFlag)

const flags: Section = {
  noun: 'flag',
  fields: flagFields,
  schema: newFlag,
  named: (key) => ({ key }),
  completed: ['environments.*'],
  list: async ({ product, projectId, viewer }) =>
    (await product.flags.list(projectId, viewer))
      .filter(({ archivedAt }) => !archivedAt)
      .map((flag) => ({
        id: flag.key,
        key: flag.key,
        fields: withoutSecretValues(fieldsOf(flag, flagFields), flag.isSecret),
      })),
  create: ({ product, projectId, viewer }, input) => product.flags.create(projectId, input, viewer),
  change: ({ product, projectId, viewer }, { key }, change) =>
    product.flags.change(projectId, key, change, viewer),
  remove: ({ product, projectId, viewer }, { key }) => product.flags.archive(projectId, key, viewer),
}

/** Values of a secret configuration are masked, so that the file has none. */
function withoutSecretValues(
  { payloads, environments: settings, ...fields }: Fields,
  isSecret: boolean,
): Fields {
  if (!isSecret) return { ...fields, payloads, environments: settings }
  // as the schema of flags has them
  const kept = Object.entries(settings as Readonly<Record<string, Fields>>).map(([name, own]) => {
    const { payloads: _, ...setting } = own
    return [name, setting]
  })
  return { ...fields, environments: Object.fromEntries(kept) }
}

const pageFields = ['isOpen', 'needsLink', 'mayBeEmbedded']

const definitions: Section = {
  ...named('definition', ({ insights }) => insights.definitions, {
    schema: definitionCollection.newEntry,
    fields: ['description', 'isHidden', 'isVerified'],
    remove: (product, ...of) => product.insights.definitions.remove(...of),
  }),
  named: (key) => {
    const [, type, name] = /^([^:]*): (.*)$/su.exec(key) ?? []
    return { type: type ?? key, name: name ?? '' }
  },
  list: async ({ product, projectId, viewer }) =>
    (await product.insights.definitions.list(projectId, viewer)).map((one) => ({
      id: one.id,
      key: `${one.type}: ${one.name}`,
      fields: fieldsOf(one, ['description', 'isHidden', 'isVerified']),
    })),
}

const settingsInput = projectChanges
  .pick({ timeZone: true })
  .extend({ answers: answersOfProject.strict().optional(), intake: storedIntakeSettings.strict().optional() })
  .strict()

/** The settings of the project, which are one entry. Hosts and the site's address are of one installation. */
const settings: Section = {
  noun: 'settings',
  isSingle: true,
  fields: ['timeZone', 'answers', 'intake'],
  schema: settingsInput,
  named: () => ({}),
  list: async ({ product, projectId, viewer }) => {
    const project = product.projects.find(String(projectId), viewer)
    const { hosts: _, ...intake } = ingestSettingsOf(project)
    const fields = { timeZone: project.timeZone, answers: answerSettingsOf(project), intake }
    return [{ id: projectId, key: singleKey, fields: fieldsOf(fields, Object.keys(fields)) }]
  },
  create: async () => ({ done: true }),
  change: ({ product, projectId, viewer }, _, change) => product.projects.change(projectId, change, viewer),
}
/**
 * All sections in the order in which they are written: what others refer to comes first. A field is in the file if the
 * schema of its kind has it.
 */
export const sections = {
  environments,
  definitions,
  cohorts: named('cohort', ({ people }) => people.cohorts, {
    schema: cohortCollection.newEntry,
    fields: ['about', 'definition'],
    // the persons of one project are not those of another
    isKept: (entry) => 'definition' in entry && entry.definition !== undefined,
    remove: (product, ...of) => product.people.cohorts.remove(...of),
  }),
  segments: named('segment', ({ insights }) => insights.segments, {
    schema: segmentCollection.newEntry,
    fields: ['filter'],
    isKept: (entry) => !('memberId' in entry) || entry.memberId === undefined,
    remove: (product, ...of) => product.insights.segments.remove(...of),
  }),
  goals: named('goal', ({ insights }) => insights.goals, {
    schema: goalCollection.newEntry,
    fields: ['goal'],
    remove: (product, ...of) => product.insights.goals.remove(...of),
  }),
  metrics: named('saved metric', ({ experiments }) => experiments.metrics, {
    schema: savedMetricCollection.newEntry,
    fields: ['description', 'goal', 'measured', 'tags'],
    remove: (product, ...of) => product.experiments.metrics.remove(...of),
  }),
  holdouts: named('holdout', ({ flags: part }) => part.holdouts, {
    schema: holdoutCollection.newEntry,
    fields: ['percentage'],
    remove: (product, ...of) => product.flags.holdouts.remove(...of),
  }),
  layers: named('layer', ({ flags: part }) => part.layers, {
    schema: layerCollection.newEntry,
    fields: [],
    remove: (product, ...of) => product.flags.layers.remove(...of),
  }),
  flags,
  surveys: named(
    'survey',
    ({ surveys }) => ({
      list: async (projectId, viewer) =>
        (await surveys.list(projectId, viewer)).map(({ hostedPage, ...survey }) => ({
          ...survey,
          // a PIN and its hash are secrets
          hostedPage: fieldsOf(hostedPage, pageFields),
        })),
      create: (...of) => surveys.create(...of),
      change: (...of) => surveys.change(...of),
    }),
    {
      schema: newSurvey,
      fields: shapeOf(editableSurvey, 'name', 'endsAt'),
      completed: ['content', 'content.appearance', 'hostedPage', 'targeting'],
      remove: (product, ...of) => product.surveys.archive(...of),
    },
  ),
  insights: named(
    'insight',
    ({ insights }) => ({
      list: async (projectId, viewer) => {
        const listed = await insights.saved.list(projectId, {}, viewer)
        return listed.done ? listed.insights : []
      },
      create: (...of) => insights.saved.create(...of),
      change: (...of) => insights.saved.change(...of),
    }),
    {
      schema: insightCollection.newEntry,
      fields: ['description', 'question', 'folder', 'tags'],
      normal: normalQuery,
      remove: (product, projectId, id, viewer) => product.insights.saved.archive(projectId, id, {}, viewer),
    },
  ),
  experiments: named('experiment', ({ experiments }) => experiments, {
    schema: newExperiment,
    fields: shapeOf(newExperiment, 'name'),
    completed: ['analysis'],
    remove: (product, ...of) => product.experiments.archive(...of),
  }),
  dashboards: named('dashboard', ({ dashboards }) => dashboards, {
    schema: editableDashboard,
    fields: shapeOf(editableDashboard, 'name'),
    normal: normalCards,
    remove: (product, ...of) => product.dashboards.archive(...of),
  }),
  alerts: named('alert', ({ alerts }) => alerts, {
    schema: newAlert,
    fields: shapeOf(editableAlert, 'name'),
    remove: (product, ...of) => product.alerts.remove(...of),
  }),
  reports: named('report', ({ alerts }) => alerts.reports, {
    schema: newReport,
    fields: shapeOf(editableReport, 'name'),
    remove: (product, ...of) => product.alerts.reports.remove(...of),
  }),
  authors,
  posts,
  site,
  settings,
} satisfies Record<string, Section>
export type SectionName = keyof typeof sections

export const isSectionName = (name: string): name is SectionName => Object.hasOwn(sections, name)
export const sectionNames = Object.keys(sections).filter(isSectionName)
