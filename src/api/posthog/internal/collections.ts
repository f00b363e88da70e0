import type { Annotation } from '#insights/annotations/annotations'
import type { CatalogueEvent, CatalogueProperty } from '#insights/catalogue/catalogue'
import type { Cohort } from '#persons/cohort'
import type { Outcome } from '#projects/problems'
import {
  authorBody,
  findById,
  listed,
  missing,
  numberOf,
  pageParameters,
  type PosthogCall,
  type PosthogEndpoint,
  type PosthogOutcome,
  refused,
  shownAs,
  success,
  unknownField,
  uuidOf,
} from './endpoint'

const annotationBody = ({ id, at, text, scope, createdAt, createdBy }: Annotation) => ({
  id: numberOf(id),
  content: text,
  date_marker: at.toISOString(),
  creation_type: 'USR',
  scope: scope === 'insight' ? 'dashboard_item' : scope,
  created_at: createdAt.toISOString(),
  updated_at: createdAt.toISOString(),
  created_by: authorBody(createdBy),
  deleted: false,
})

const annotationFields: ReadonlySet<string> = new Set([
  'content',
  'date_marker',
  'scope',
  'creation_type',
  'deleted',
])

const annotationInput = ({ input }: PosthogCall) => ({
  ...(input['content'] !== undefined && { text: input['content'] }),
  ...(input['date_marker'] !== undefined && { at: input['date_marker'] }),
})

async function createAnnotation(call: PosthogCall): Promise<PosthogOutcome> {
  const { product, project, viewer, input } = call
  const unknown = unknownField(input, annotationFields)
  if (unknown) return unknown
  const { scope = 'project' } = input
  if (scope !== 'project') return refused('An annotation that is made here is of the whole project.', 'scope')
  const outcome = await product.insights.annotations.create(project.id, annotationInput(call), viewer)
  return shownAs(outcome, ({ annotation }) => annotationBody(annotation))
}

async function changeAnnotation(call: PosthogCall): Promise<PosthogOutcome> {
  const { product, project, viewer, input, part } = call
  const unknown = unknownField(input, annotationFields)
  if (unknown) return unknown
  const annotation = findById(await product.insights.annotations.list(project.id, viewer), part('annotation'))
  if (!annotation) return missing
  if (input['deleted'] === true) {
    const removed = await product.insights.annotations.remove(project.id, annotation.id, viewer)
    return shownAs(removed, () => ({ ...annotationBody(annotation), deleted: true }))
  }
  const outcome = await product.insights.annotations.change(
    project.id,
    annotation.id,
    annotationInput(call),
    viewer,
  )
  return shownAs(outcome, (done) => annotationBody(done.annotation))
}

const annotations: readonly PosthogEndpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/annotations',
    query: [...pageParameters, 'search'],
    handle: async (call) => {
      const { product, project, viewer, query } = call
      const search = (query.get('search') ?? '').toLowerCase()
      const all = await product.insights.annotations.list(project.id, viewer)
      return listed(call, all.filter(({ text }) => text.toLowerCase().includes(search)).map(annotationBody))
    },
  },
  { method: 'POST', path: '/projects/{project}/annotations', status: 201, handle: createAnnotation },
  {
    method: 'GET',
    path: '/projects/{project}/annotations/{annotation}',
    handle: async ({ product, project, viewer, part }) => {
      const annotation = findById(
        await product.insights.annotations.list(project.id, viewer),
        part('annotation'),
      )
      return annotation ? success(annotationBody(annotation)) : missing
    },
  },
  { method: 'PATCH', path: '/projects/{project}/annotations/{annotation}', handle: changeAnnotation },
]

/** A cohort has the id that conditions of flags name. Its rule is in Tilth's form. */
const cohortBody = ({ id, name, about, definition, createdBy, createdAt }: Cohort, count: number | null) => ({
  id,
  name,
  description: about,
  is_static: definition === undefined,
  is_calculating: false,
  count,
  created_at: createdAt.toISOString(),
  created_by: authorBody(createdBy),
  deleted: false,
  definition: definition ?? null,
})

const cohorts: readonly PosthogEndpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/cohorts',
    changedBy: 'cohorts',
    query: pageParameters,
    handle: async (call) => {
      const all = await call.product.people.cohorts.list(call.project.id, call.viewer)
      return listed(
        call,
        all.map((cohort) => cohortBody(cohort, null)),
      )
    },
  },
  {
    method: 'GET',
    path: '/projects/{project}/cohorts/{cohort}',
    changedBy: 'cohorts',
    handle: async ({ product, project, viewer, part }) => {
      const cohort = await product.people.cohorts.find(project.id, part('cohort'), viewer)
      if (!cohort) return missing
      return success(cohortBody(cohort, (await product.people.size(project.id, cohort.id, viewer)) ?? null))
    },
  },
]

const eventDefinition = ({ name, count, firstAt, lastAt, definition }: CatalogueEvent) => ({
  id: uuidOf(`event ${name}`),
  name,
  created_at: firstAt.toISOString(),
  last_seen_at: lastAt.toISOString(),
  updated_at: null,
  updated_by: null,
  owner: null,
  is_action: false,
  tags: [],
  volume_30_day: count,
  query_usage_30_day: null,
  description: definition.description,
  hidden: definition.isHidden,
  verified: definition.isVerified,
})

/** PostHog's types of values; lists and texts are both texts there. */
const valueTypes: Readonly<Record<string, string | undefined>> = {
  number: 'Numeric',
  boolean: 'Boolean',
  time: 'DateTime',
}

const propertyDefinition = ({ key, type, values, definition }: CatalogueProperty) => ({
  id: uuidOf(`${type} ${key}`),
  name: key,
  type,
  property_type: valueTypes[values ?? ''] ?? 'String',
  is_numerical: values === 'number',
  updated_at: null,
  updated_by: null,
  is_seen_on_filtered_events: null,
  tags: [],
  description: definition.description,
  hidden: definition.isHidden,
  verified: definition.isVerified,
})

/** Whether a parameter says yes, no or nothing; other words are refused. */
function flagIn({ query }: PosthogCall, name: string): Outcome<{ value: boolean | undefined }> {
  const text = query.get(name)
  if (text === null) return { done: true, value: undefined }
  return text === 'true' || text === 'false'
    ? { done: true, value: text === 'true' }
    : refused(`Ask for ${name}=true or ${name}=false.`, name)
}

async function listEventDefinitions(call: PosthogCall): Promise<PosthogOutcome> {
  const { product, project, viewer, query } = call
  const withoutHidden = flagIn(call, 'exclude_hidden')
  if (!withoutHidden.done) return withoutHidden
  const search = (query.get('search') ?? '').toLowerCase()
  const found = (await product.insights.catalogue.events(project.id, viewer))
    .filter(({ name }) => name.toLowerCase().includes(search))
    .filter(({ definition }) => !(withoutHidden.value && definition.isHidden))
  return listed(call, found.map(eventDefinition))
}

const flagProperty = '$feature/'

async function listPropertyDefinitions(call: PosthogCall): Promise<PosthogOutcome> {
  const { product, project, viewer, query } = call
  const search = (query.get('search') ?? '').toLowerCase()
  const type = query.get('type') ?? 'event'
  if (type !== 'event' && type !== 'person') return refused('Ask for the type event or person.', 'type')
  const withoutHidden = flagIn(call, 'exclude_hidden')
  const withoutCore = flagIn(call, 'exclude_core_properties')
  const ofFlags = flagIn(call, 'is_feature_flag')
  const byEvents = flagIn(call, 'filter_by_event_names')
  if (!withoutHidden.done) return withoutHidden
  if (!withoutCore.done) return withoutCore
  if (!ofFlags.done) return ofFlags
  if (!byEvents.done) return byEvents
  const named = byEvents.value === false ? [] : eventNamesIn(query.get('event_names'))
  const found = (await product.insights.catalogue.properties(project.id, viewer))
    .filter((one) => one.type === type && one.key.toLowerCase().includes(search))
    .filter(({ events }) => named.length === 0 || events.some((name) => named.includes(name)))
    .filter(({ definition }) => !(withoutHidden.value && definition.isHidden))
    .filter(({ key }) => !(withoutCore.value && key.startsWith('$')))
    .filter(({ key }) => ofFlags.value === undefined || key.startsWith(flagProperty) === ofFlags.value)
  return listed(call, found.map(propertyDefinition))
}

const definitions: readonly PosthogEndpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/event_definitions',
    query: [...pageParameters, 'search', 'exclude_hidden'],
    handle: listEventDefinitions,
  },
  {
    method: 'GET',
    path: '/projects/{project}/property_definitions',
    query: [
      ...pageParameters,
      'search',
      'type',
      'event_names',
      'exclude_hidden',
      'exclude_core_properties',
      'is_feature_flag',
      'filter_by_event_names',
    ],
    handle: listPropertyDefinitions,
  },
]

/** A list in JSON. */
function eventNamesIn(text: string | null): string[] {
  if (text === null) return []
  try {
    const given: unknown = JSON.parse(text)
    return Array.isArray(given) ? given.map(String) : [text]
  } catch {
    return text.split(',')
  }
}

export const collectionEndpoints: readonly PosthogEndpoint[] = [...annotations, ...cohorts, ...definitions]
