import { z } from 'zod'
import { sql } from '../engine/sql'
import { filter } from '../filters/filter'
import { type Cohort, cohortDefinition } from '../persons/cohort'
import { type Cohorts, mostPicked } from '../persons/cohorts'
import { type KnownAs, knownAs } from '../persons/known-as'
import { requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import { type Outcome, parse, undone } from '../projects/problems'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import type { Insights } from './ask'
import { cohortsWith, whoFits } from './cohort-members'
import { groupOf, groupPageOf } from './people/groups'
import { linesIn, personsNamed } from './people/lines'
import { personEvents, personFacts } from './people/person'
import { idsIn, personsIn, personsSeen, sortsOfPersons } from './people/seen'
import { countMatching, sizeOf } from './people/sizes'
import type { GroupPage, GroupProfile, Matching, PersonEvent, PersonFacts, PersonSeen } from './people-found'
import { periodText } from './period'
import type { Scope } from './scope'

export interface PeopleGround {
  insights: Pick<Insights, 'scope' | 'peopleBehind'>
  cohorts: Cohorts
  store: Store
  world: World
}

export interface PersonPage {
  persons: PersonSeen[]
  /** All that fit, on however many pages. */
  total: number
}

/** Everything that is shown of one person, but for what they did. */
export interface PersonProfile extends PersonFacts {
  id: string
  distinctIds: string[]
  cohorts: { id: string; name: string }[]
}

const page = z.coerce.number().int().min(1).max(1000).default(1)
export const personsOnPage = 50
const behindOnPage = 100

const personsQuestion = z.object({
  /** Of whom something happened in it. */
  period: periodText.default('30d'),
  search: z.string().trim().max(200).default(''),
  filter: filter.optional(),
  cohort: z.string().max(100).optional(),
  sort: z.enum(sortsOfPersons).default('last'),
  descending: z.boolean().default(true),
  page,
})
export type PersonsQuestion = z.input<typeof personsQuestion>

const eventsQuestion = z.object({
  event: z.string().max(200).optional(),
  /** The last one that is known already. */
  before: z.object({ at: z.iso.datetime(), uuid: z.uuid() }).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
})

const groupsQuestion = z.object({
  type: z.string().min(1).max(200),
  search: z.string().trim().max(200).default(''),
  page,
})

const groupQuestion = z.object({ type: z.string().min(1).max(200), key: z.string().min(1).max(1000) })

const fromLines = z.object({
  name: z.string(),
  about: z.string().optional(),
  text: z.string().max(8_000_000, 'The file is larger than 8 MB. Divide it into several cohorts.'),
})

const fromPoint = z.object({ name: z.string(), about: z.string().optional() })

/** Who a project's persons are, and what is known of each. */
export class People {
  constructor(private readonly ground: PeopleGround) {}

  async list(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<PersonPage>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parse(personsQuestion, input)
    if (!parsed.done) return parsed
    const { cohort, filter: only } = parsed.value
    const scope = await this.ground.insights.scope(projectId, viewer)
    if (cohort !== undefined && !scope.cohort(cohort)) return undone('There is no such cohort.', 'cohort')
    const definition = [...(only ? [{ is: only }] : []), ...(cohort === undefined ? [] : [{ in: cohort }])]
    const membership = await this.ground.cohorts.membership(projectId)
    const among = definition.length > 0 ? whoFits({ all: definition }, membership, scope) : undefined
    return { done: true, ...(await personsSeen(parsed.value, scope, among, personsOnPage)) }
  }

  /** Undefined for a number that nobody has, or has any more. */
  async find(projectId: number, personId: string, viewer: Viewer): Promise<PersonProfile | undefined> {
    const { scope, known } = await this.open(projectId, personId, viewer)
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

  /** What somebody did, the latest first. */
  async events(
    projectId: number,
    personId: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ events: PersonEvent[]; hasMore: boolean }>> {
    const { scope, known } = await this.open(projectId, personId, viewer)
    const parsed = parse(eventsQuestion, input)
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

  /** Who is behind one number of an answer. */
  async behind(
    projectId: number,
    question: unknown,
    point: unknown,
    viewer: Viewer,
    pageNumber = 1,
  ): Promise<Outcome<PersonPage>> {
    const found = await this.ground.insights.peopleBehind(projectId, question, point, viewer)
    if (!found.done) return found
    const asked = parse(page, pageNumber)
    if (!asked.done) return asked
    return { done: true, ...(await personsIn(found.statement, found.scope, asked.value, behindOnPage)) }
  }

  /** Keeps who is behind a number as a cohort of its own. */
  async keepBehind(
    projectId: number,
    question: unknown,
    point: unknown,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ cohort: { id: string; name: string } }>> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parse(fromPoint, input)
    if (!parsed.done) return parsed
    const found = await this.ground.insights.peopleBehind(projectId, question, point, viewer)
    if (!found.done) return found
    const persons = await idsIn(found.statement, found.scope, mostPicked + 1)
    return await this.ground.cohorts.create(projectId, { ...parsed.value, persons }, viewer)
  }

  /** A cohort of those whose distinct ids or e-mails stand in the lines of a file. */
  async cohortFromLines(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ cohort: Cohort; found: number; missing: string[] }>> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parse(fromLines, input)
    if (!parsed.done) return parsed
    const { name, about, text } = parsed.value
    const lines = linesIn(text)
    if (!lines.done) return lines
    if (lines.named.length > mostPicked)
      return undone(
        `There are ${lines.named.length} lines; at most ${mostPicked} persons can be picked.`,
        'text',
      )
    const scope = await this.ground.insights.scope(projectId, viewer)
    const { persons, missing: unknown } = await personsNamed(lines.named, scope, this.ground.store)
    if (persons.length === 0)
      return undone(
        `None of the ${lines.named.length} lines is the distinct id or e-mail of a person.`,
        'text',
      )
    const created = await this.ground.cohorts.create(projectId, { name, about, persons }, viewer)
    return created.done
      ? { done: true, cohort: created.cohort, found: lines.named.length - unknown.length, missing: unknown }
      : created
  }

  /** How many of the persons seen in the last 30 days fit a definition that may not be saved yet. */
  async matching(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<Matching>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parse(cohortDefinition, input)
    if (!parsed.done) return parsed
    const scope = await this.ground.insights.scope(projectId, viewer)
    const membership = await this.ground.cohorts.membership(projectId)
    return { done: true, ...(await countMatching(whoFits(parsed.value, membership, scope), scope)) }
  }

  /** How many are in a cohort now; undefined where there is no such cohort. */
  async size(projectId: number, cohortId: string, viewer: Viewer): Promise<number | undefined> {
    const scope = await this.ground.insights.scope(projectId, viewer)
    const members = scope.cohort(cohortId)
    return members && (await sizeOf(members, scope))
  }

  async groups(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<GroupPage>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parse(groupsQuestion, input)
    if (!parsed.done) return parsed
    const scope = await this.ground.insights.scope(projectId, viewer)
    return { done: true, ...(await groupPageOf(parsed.value, scope, personsOnPage)) }
  }

  async group(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ group: GroupProfile; events: PersonEvent[]; persons: PersonSeen[]; total: number }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parse(groupQuestion, input)
    if (!parsed.done) return parsed
    const scope = await this.ground.insights.scope(projectId, viewer)
    const group = await groupOf(parsed.value, scope)
    if (!group) return undone('There is no such group.')
    const { type, key } = parsed.value
    const isIts = { type: 'group', group: type, key: '$group_key', operator: 'exact', value: key } as const
    const members = whoFits({ did: { event: null, filter: isIts }, within: { days: 30 } }, new Map(), scope)
    const [events, { persons, total }] = await Promise.all([
      personEvents(scope, { filter: isIts }, { limit: 50 }),
      personsIn(sql`select person_id as person from (${members})`, scope, 1, personsOnPage),
    ])
    return { done: true, group, events, persons, total }
  }

  /** Everything there is of somebody, as pieces of one JSON text: it may be much. */
  async export(
    projectId: number,
    personId: string,
    viewer: Viewer,
  ): Promise<Outcome<{ json: AsyncGenerator<string> }>> {
    requireRight('persons:write', projectId, viewer)
    const person = await this.find(projectId, personId, viewer)
    if (!person) return missing
    const { store, world } = this.ground
    await store.transaction((transaction) =>
      record(transaction, { action: 'person.export', subject: person.id, projectId }, viewer, world.now()),
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

  private async open(
    projectId: number,
    personId: string,
    viewer: Viewer,
  ): Promise<{ scope: Scope; known: KnownAs | undefined }> {
    requireRight('events:read', projectId, viewer)
    const scope = await this.ground.insights.scope(projectId, viewer)
    const isNumber = z.uuid().safeParse(personId).success
    return { scope, known: isNumber ? await knownAs(this.ground.store, projectId, personId) : undefined }
  }

  private async cohortsOf(
    projectId: number,
    { numbers }: KnownAs,
    scope: Scope,
    viewer: Viewer,
  ): Promise<{ id: string; name: string }[]> {
    const membership = await this.ground.cohorts.membership(projectId)
    if (membership.size === 0) return []
    const rows = await scope.run<{ id: string }>(cohortsWith(numbers, membership, scope))
    const ids = new Set(rows.map(({ id }) => id))
    return (await this.ground.cohorts.names(projectId, viewer)).filter(({ id }) => ids.has(id))
  }
}

const eventsAtOnce = 1000

const missing = undone('There is no such person in this project.')
