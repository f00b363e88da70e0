import { z } from 'zod'
import { sql } from '#engine/sql'
import { filter } from '#filters/filter'
import { type Cohort, cohortDefinition } from '#persons/cohort'
import { type Cohorts, maxPickedPersons } from '#persons/cohorts/cohorts'
import { type PersonAliases, findPersonAliases, findPersonsByDistinctIds } from '#persons/person-aliases'
import { operator, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { type Outcome, parseInput, failedOutcome } from '#projects/problems'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { Insights } from '../ask'
import { cohortsOfPersons, personsFitting } from './internal/cohort-members'
import { groupOf, groupPageOf } from './internal/groups'
import { idsInText, personsNamed } from './internal/ids-in-text'
import { hasPerson, personEvents, personFacts } from './internal/person'
import type { PersonLabel } from './person-label'
import { storedLabels } from './internal/stored-labels'
import { type SentEvent, sentEvents, sentEventsQuery } from './sent-events'
import { type SentPerson, sentPersons } from './sent-persons'
import { countIn, idsIn, personsIn, listPersons } from './person-list'
import { namedPersons, searchPersons } from './internal/person-search'
import { asAskedNumber, liveConditionOf } from './number-queries'
import { personSort } from './internal/person-sort'
import { countMatching, sizeOf } from './internal/sizes'
import type {
  GroupPage,
  GroupProfile,
  MatchingPersons,
  PersonEvent,
  PersonFacts,
  ListedPerson,
  NamedPerson,
} from './person-records'
import { periodText } from '../calendar/period'
import type { QueryScope } from '../scope'

interface PersonDirectoryDependencies {
  insights: Pick<Insights, 'scope' | 'peopleBehind'>
  cohorts: Cohorts
  store: Store
  world: World
}

interface PersonPage {
  persons: ListedPerson[]
  /** The number of all matching persons, on all pages. */
  total: number
}

/** Everything shown about a person except their events. */
export interface PersonProfile extends PersonFacts {
  id: string
  distinctIds: string[]
  cohorts: { id: string; name: string }[]
}

const page = z.coerce.number().int().min(1).max(1000).default(1)
const personsOnPage = 50
const behindOnPage = 100
const labelsAtOnce = 500

const personsQuery = z.object({
  /** Lists the persons with events in this period. */
  period: periodText.default('30d'),
  search: z.string().trim().max(200).default(''),
  filter: filter.optional(),
  cohort: z.string().max(100).optional(),
  sort: personSort.default('last'),
  descending: z.boolean().default(true),
  page,
  perPage: z.number().int().min(1).max(1000).default(personsOnPage),
})

const eventsQuery = z.object({
  event: z.string().max(200).optional(),
  /** The last event that the caller has already. */
  before: z.object({ at: z.iso.datetime(), uuid: z.uuid() }).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
})

const groupsQuery = z.object({
  type: z.string().min(1).max(200),
  search: z.string().trim().max(200).default(''),
  page,
})

const groupQuery = z.object({ type: z.string().min(1).max(200), key: z.string().min(1).max(1000) })

const cohortFromTextInput = z.object({
  name: z.string(),
  about: z.string().optional(),
  text: z.string().max(8_000_000, 'The file is larger than 8 MB. Divide it into several cohorts.'),
})

const cohortFromPointInput = z.object({
  name: z.string(),
  about: z.string().optional(),
  /** Whether persons join later who meet the condition of the number; otherwise it is a list of those of now. */
  isLive: z.boolean().default(false),
})

/** Lists a project's persons and their data. */
export class PersonDirectory {
  constructor(private readonly dependencies: PersonDirectoryDependencies) {}

  async list(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<PersonPage>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(personsQuery, input)
    if (!parsed.done) return parsed
    const { cohort, filter: only } = parsed.value
    const scope = await this.dependencies.insights.scope(projectId, viewer)
    if (cohort !== undefined && !scope.cohort(cohort))
      return failedOutcome('There is no such cohort.', 'cohort')
    const definition = [...(only ? [{ is: only }] : []), ...(cohort === undefined ? [] : [{ in: cohort }])]
    const membership = await this.dependencies.cohorts.membership(projectId)
    const among = definition.length > 0 ? personsFitting({ all: definition }, membership, scope) : undefined
    return { done: true, ...(await listPersons(parsed.value, scope, among, parsed.value.perPage)) }
  }

  /** Whether the project has a person of this id, in the store or by an event. Needs the right to change persons alone. */
  async isKnown(projectId: number, personId: string, viewer: Viewer): Promise<boolean> {
    requireRight('persons:write', projectId, viewer)
    if (!z.uuid().safeParse(personId).success) return false
    const aliases = await findPersonAliases(this.dependencies.store, projectId, personId)
    if (aliases.personId !== personId || aliases.distinctIds.length > 0) return true
    return await hasPerson(await this.dependencies.insights.scope(projectId, operator('persons')), aliases)
  }

  /** Returns identified persons by a part of a property or by a whole distinct id, whenever they were last seen. */
  async search(projectId: number, text: string, viewer: Viewer): Promise<NamedPerson[]> {
    requireRight('events:read', projectId, viewer)
    const scope = await this.dependencies.insights.scope(projectId, viewer)
    return await searchPersons(text, scope, this.dependencies.store)
  }

  /** Returns the names of identified persons by id; the others are left out. */
  async named(projectId: number, ids: readonly string[], viewer: Viewer): Promise<NamedPerson[]> {
    requireRight('events:read', projectId, viewer)
    const known = z.array(z.uuid()).safeParse(ids)
    if (!known.success) return []
    const scope = await this.dependencies.insights.scope(projectId, viewer)
    return await namedPersons(known.data, scope)
  }

  /** Returns how persons are shown, by the ids of their events, as the store knows them at this moment. */
  async labels(
    projectId: number,
    ids: readonly string[],
    viewer: Viewer,
  ): Promise<{ id: string; label: PersonLabel }[]> {
    requireRight('events:read', projectId, viewer)
    const known = z.array(z.uuid()).max(labelsAtOnce).safeParse(ids)
    return known.success ? await storedLabels(this.dependencies.store, projectId, known.data) : []
  }

  /** Returns undefined for a number without a person, such as a merged one. */
  async find(projectId: number, personId: string, viewer: Viewer): Promise<PersonProfile | undefined> {
    const { scope, known } = await this.personScope(projectId, personId, viewer)
    if (!known) return undefined
    const facts = await personFacts(scope, known)
    if (!facts) return undefined
    const { distinctIds, ...rest } = facts
    return {
      ...rest,
      id: known.personId,
      distinctIds: [...new Set([...known.distinctIds, ...distinctIds])],
      cohorts: await this.cohortsOf(projectId, known, scope, viewer),
    }
  }

  /** Returns the persons of a cohort who have an e-mail address, up to a number. */
  async reachableIn(
    projectId: number,
    cohort: string,
    most: number,
    viewer: Viewer,
  ): Promise<Outcome<{ persons: { distinctId: string; email: string }[] }>> {
    requireRight('events:read', projectId, viewer)
    const scope = await this.dependencies.insights.scope(projectId, viewer)
    if (!scope.cohort(cohort)) return failedOutcome('There is no such cohort.', 'cohort')
    const membership = await this.dependencies.cohorts.membership(projectId)
    const among = personsFitting({ in: cohort }, membership, scope)
    const { persons } = await personsIn(sql`select person_id as person from (${among})`, scope, 1, most)
    return {
      done: true,
      persons: persons.flatMap(({ distinctId, properties: { email } }) =>
        email ? [{ distinctId, email }] : [],
      ),
    }
  }

  /** Returns a person's events, latest first. */
  async events(
    projectId: number,
    personId: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ events: PersonEvent[]; hasMore: boolean }>> {
    const { scope, known } = await this.personScope(projectId, personId, viewer)
    const parsed = parseInput(eventsQuery, input)
    if (!parsed.done) return parsed
    if (!known) return missing
    const { limit } = parsed.value
    const events = await personEvents(
      scope,
      { numbers: known.numbers },
      { ...parsed.value, limit: limit + 1 },
    )
    return { done: true, events: events.slice(0, limit), hasMore: events.length > limit }
  }

  /** Returns events with their values as they were sent, of any person, the latest first. */
  async sentEvents(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ events: SentEvent[] }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(sentEventsQuery, input)
    if (!parsed.done) return parsed
    const { person } = parsed.value
    const { scope, known } = await this.personScope(projectId, person ?? '', viewer)
    return { done: true, events: await sentEvents(scope, parsed.value, known?.numbers) }
  }

  /** Returns what persons were set to, as it was sent; persons without any properties of their own are left out. */
  async sentPersons(projectId: number, ids: readonly string[], viewer: Viewer): Promise<SentPerson[]> {
    requireRight('events:read', projectId, viewer)
    return await sentPersons(this.dependencies.store, projectId, ids)
  }

  /** Returns the id of the person of a distinct id; there may be no such person. */
  async idOf(projectId: number, distinctId: string, viewer: Viewer): Promise<string | undefined> {
    requireRight('events:read', projectId, viewer)
    const { claimed, own } = await findPersonsByDistinctIds(this.dependencies.store, projectId, [distinctId])
    return claimed.get(distinctId) ?? own.get(distinctId)
  }

  /** Returns the persons behind one number of an answer. */
  async personsBehind(
    projectId: number,
    query: unknown,
    point: unknown,
    viewer: Viewer,
    pageNumber = 1,
  ): Promise<Outcome<PersonPage>> {
    const found = await this.dependencies.insights.peopleBehind(projectId, query, point, viewer)
    if (!found.done) return found
    const outcome = parseInput(page, pageNumber)
    if (!outcome.done) return outcome
    return { done: true, ...(await personsIn(found.statement, found.scope, outcome.value, behindOnPage)) }
  }

  /** Counts the persons behind one number of an answer. */
  async countBehind(
    projectId: number,
    query: unknown,
    point: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ total: number }>> {
    const found = await this.dependencies.insights.peopleBehind(projectId, query, point, viewer)
    return found.done ? { done: true, total: await countIn(found.statement, found.scope) } : found
  }

  /** Saves the persons behind a number as a cohort. */
  async saveBehindAsCohort(
    projectId: number,
    query: unknown,
    point: unknown,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ cohort: { id: string; name: string } }>> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parseInput(cohortFromPointInput, input)
    if (!parsed.done) return parsed
    const found = await this.dependencies.insights.peopleBehind(projectId, query, point, viewer)
    if (!found.done) return found
    const { isLive, ...about } = parsed.value
    const number = asAskedNumber(query, point)
    const definition = isLive && number ? liveConditionOf(number) : undefined
    if (isLive && !definition)
      return failedOutcome('No condition tells who is behind this number. Save a list of them.', 'isLive')
    const members = definition
      ? { definition }
      : { persons: await idsIn(found.statement, found.scope, maxPickedPersons + 1) }
    return await this.dependencies.cohorts.create(projectId, { ...about, ...members }, viewer)
  }

  /** Creates a cohort from the distinct ids or email addresses in a file. */
  async cohortFromLines(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ cohort: Cohort; found: number; missing: string[] }>> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parseInput(cohortFromTextInput, input)
    if (!parsed.done) return parsed
    const { name, about, text } = parsed.value
    const lines = idsInText(text)
    if (!lines.done) return lines
    if (lines.named.length > maxPickedPersons)
      return failedOutcome(
        `There are ${lines.named.length} lines; at most ${maxPickedPersons} persons can be picked.`,
        'text',
      )
    const scope = await this.dependencies.insights.scope(projectId, viewer)
    const { persons, missing: unknown } = await personsNamed(lines.named, scope, this.dependencies.store)
    if (persons.length === 0)
      return failedOutcome(
        `None of the ${lines.named.length} lines is the distinct id or e-mail of a person.`,
        'text',
      )
    const created = await this.dependencies.cohorts.create(projectId, { name, about, persons }, viewer)
    return created.done
      ? { done: true, cohort: created.cohort, found: lines.named.length - unknown.length, missing: unknown }
      : created
  }

  /** Counts the persons of the last 30 days who match a definition, which need not be saved. */
  async matching(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<MatchingPersons>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(cohortDefinition, input)
    if (!parsed.done) return parsed
    const scope = await this.dependencies.insights.scope(projectId, viewer)
    const membership = await this.dependencies.cohorts.membership(projectId)
    return { done: true, ...(await countMatching(personsFitting(parsed.value, membership, scope), scope)) }
  }

  /** Returns the current size of a cohort; undefined if it does not exist. */
  async size(projectId: number, cohortId: string, viewer: Viewer): Promise<number | undefined> {
    const scope = await this.dependencies.insights.scope(projectId, viewer)
    const members = scope.cohort(cohortId)
    return members && (await sizeOf(members, scope))
  }

  async groups(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<GroupPage>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(groupsQuery, input)
    if (!parsed.done) return parsed
    const scope = await this.dependencies.insights.scope(projectId, viewer)
    return { done: true, ...(await groupPageOf(parsed.value, scope, personsOnPage)) }
  }

  async group(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<
    Outcome<{ group: GroupProfile; events: PersonEvent[]; persons: ListedPerson[]; total: number }>
  > {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(groupQuery, input)
    if (!parsed.done) return parsed
    const scope = await this.dependencies.insights.scope(projectId, viewer)
    const group = await groupOf(parsed.value, scope)
    if (!group) return failedOutcome('There is no such group.')
    const { type, key } = parsed.value
    const isIts = { type: 'group', group: type, key: '$group_key', operator: 'exact', value: key } as const
    const members = personsFitting(
      { did: { event: null, filter: isIts }, within: { days: 30 } },
      new Map(),
      scope,
    )
    const [events, { persons, total }] = await Promise.all([
      personEvents(scope, { filter: isIts }, { limit: 50 }),
      personsIn(sql`select person_id as person from (${members})`, scope, 1, personsOnPage),
    ])
    return { done: true, group, events, persons, total }
  }

  /** Streams all data of a person as pieces of one JSON text. */
  async export(
    projectId: number,
    personId: string,
    viewer: Viewer,
  ): Promise<Outcome<{ json: AsyncGenerator<string> }>> {
    requireRight('persons:write', projectId, viewer)
    const person = await this.find(projectId, personId, viewer)
    if (!person) return missing
    const { store, world } = this.dependencies
    await store.transaction((transaction) =>
      recordAudit(
        transaction,
        { action: 'person.export', subject: person.id, projectId },
        viewer,
        world.now(),
      ),
    )
    return { done: true, json: this.pieces(projectId, person, viewer) }
  }

  private async *pieces(projectId: number, person: PersonProfile, viewer: Viewer): AsyncGenerator<string> {
    yield `${JSON.stringify({ person }, undefined, 2).slice(0, -2)},\n  "events": [`
    let before: { at: string; uuid: string } | undefined
    for (let isFirst = true; ;) {
      const asked = { before, limit: eventsAtOnce }
      const found = await this.events(projectId, person.id, asked, viewer)
      if (!found.done) return
      for (const event of found.events) {
        yield `${isFirst ? '' : ','}\n    ${JSON.stringify(event)}`
        isFirst = false
      }
      const last = found.events.at(-1)
      if (!last || !found.hasMore) break
      before = { at: last.at, uuid: last.uuid }
    }
    yield '\n  ]\n}\n'
  }

  private async personScope(
    projectId: number,
    personId: string,
    viewer: Viewer,
  ): Promise<{ scope: QueryScope; known: PersonAliases | undefined }> {
    requireRight('events:read', projectId, viewer)
    const scope = await this.dependencies.insights.scope(projectId, viewer)
    const isNumber = z.uuid().safeParse(personId).success
    return {
      scope,
      known: isNumber ? await findPersonAliases(this.dependencies.store, projectId, personId) : undefined,
    }
  }

  private async cohortsOf(
    projectId: number,
    { numbers }: PersonAliases,
    scope: QueryScope,
    viewer: Viewer,
  ): Promise<{ id: string; name: string }[]> {
    const membership = await this.dependencies.cohorts.membership(projectId)
    if (membership.size === 0) return []
    const rows = await scope.run<{ id: string }>(cohortsOfPersons(numbers, membership, scope))
    const ids = new Set(rows.map(({ id }) => id))
    return (await this.dependencies.cohorts.names(projectId, viewer)).filter(({ id }) => ids.has(id))
  }
}

const eventsAtOnce = 1000

const missing = failedOutcome('There is no such person in this project.')
