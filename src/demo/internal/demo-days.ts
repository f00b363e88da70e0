import { acquisitions, expectedOn } from './acquisitions'
import { bill } from './billing'
import { arrive, comeBack } from './browsing'
import { SeededRandom } from './seeded-random'
import { crawled } from './crawling'
import { type DemoApp, apps } from './devices'
import type { DemoEvent } from './event'
import { signUpOn } from './sign-up'
import { beginningOfDay, dayMs, hourMs, hours, siteRhythm, story, useRhythm } from './story'
import { meetAgain, readiness, work, workOnPhone } from './product-use'
import { DemoVisit } from './visit'
import { type DemoAccount, newVisitor, type DemoVisitor } from './visitor'

/** The input of the generator. The same input generates the same events. */
interface DemoRun {
  seed: string
  /** The first day, at midnight in UTC. */
  begin: Date
  /** Events after this are left out. */
  until: Date
  /** The approximate number of events in the first `story.days` days. */
  events: number
}

/** The number of events at a density of one. */
const usualEvents = 142_500

export const beginningBefore = (now: Date): Date =>
  new Date(beginningOfDay(now.getTime()) - story.days * dayMs)

/**
 * Generates a realistic product's events day by day, each day in chronological order. A day is always generated whole,
 * so that a later run agrees with this one.
 */
export function* eventsByDay({ seed, begin, until, events }: DemoRun): Generator<DemoEvent[]> {
  const population: DemoPopulation = { visitors: [], accounts: [], density: events / usualEvents }
  let later: DemoEvent[] = []
  for (let day = 0; ; day++) {
    const from = begin.getTime() + day * dayMs
    if (from > until.getTime()) return
    const random = new SeededRandom(`${seed} ${day}`)
    const all = [...later, ...eventsOfDay(population, day, from, random)].sort(byTime)
    const next = new Date(from + dayMs).toISOString()
    const end = until.toISOString() < next ? until.toISOString() : next
    later = all.filter(({ timestamp }) => timestamp >= next)
    yield all.filter(({ timestamp }) => timestamp < end)
  }
}

const byTime = (one: DemoEvent, other: DemoEvent): number =>
  one.timestamp < other.timestamp ? -1 : one.timestamp > other.timestamp ? 1 : 0

/** The visitors who may come back. */
interface DemoPopulation {
  visitors: DemoVisitor[]
  accounts: { visitor: DemoVisitor; account: DemoAccount }[]
  /** The factor on the usual number of visitors. */
  density: number
}

function eventsOfDay(
  population: DemoPopulation,
  day: number,
  from: number,
  random: SeededRandom,
): DemoEvent[] {
  const returning = [...population.accounts]
  return [
    ...crawled(day, from, population.density, random),
    ...arrivals(population, day, from, random),
    ...returns(population, day, from, random),
    ...returning.flatMap((one) => dayOf(one, population, { day, from, chance: random })),
  ]
}

function arrivals(population: DemoPopulation, day: number, from: number, random: SeededRandom): DemoEvent[] {
  return acquisitions.flatMap((acquisition) => {
    const amount = random.amount(expectedOn(acquisition, day, from) * population.density)
    return Array.from({ length: amount }, () => {
      const visitor = newVisitor(acquisition, day, from, random)
      const visit = new DemoVisit(visitor, timeFor(visitor, from, random), random)
      arrive(visit, day)
      rememberVisitor(population, visitor)
      return visit.events
    }).flat()
  })
}

/** Remembers a visitor who may come back. */
function rememberVisitor(population: DemoPopulation, visitor: DemoVisitor): void {
  const { account } = visitor
  if (account) population.accounts.push({ visitor, account })
  else if (visitor.curiosity > 0) population.visitors.push(visitor)
}

/** Visitors do not return after this many days. */
const rememberedDays = 45

function returns(population: DemoPopulation, day: number, from: number, random: SeededRandom): DemoEvent[] {
  const staying: DemoVisitor[] = []
  const events = population.visitors.flatMap((visitor) => {
    const age = day - visitor.cameOn
    if (age >= rememberedDays) return []
    const isBack = age > 0 && random.happens(visitor.curiosity * Math.exp(-age / 9) * siteRhythm(from))
    const visit = isBack ? new DemoVisit(visitor, timeFor(visitor, from, random), random) : undefined
    if (visit) comeBack(visit, day)
    if (visitor.account) population.accounts.push({ visitor, account: visitor.account })
    else staying.push(visitor)
    return visit?.events ?? []
  })
  population.visitors = staying
  return events
}

interface DemoDay {
  day: number
  from: number
  chance: SeededRandom
}

function dayOf(
  { visitor, account }: { visitor: DemoVisitor; account: DemoAccount },
  population: DemoPopulation,
  { day, from, chance: random }: DemoDay,
): DemoEvent[] {
  const events = bill(account, day, from, random)
  if (!random.happens(readiness(account, day) * useRhythm(from))) return events
  const sit = (who: DemoVisitor, app?: DemoApp) => new DemoVisit(who, timeFor(who, from, random), random, app)
  const visit = sit(visitor)
  work(visit, day)
  events.push(...visit.events)
  if (account.usesApp && random.happens(0.5)) {
    const onPhone = sit(visitor, random.weighted(apps))
    workOnPhone(onPhone)
    events.push(...onPhone.events)
  }
  if (account.newPhone && random.happens(0.2))
    events.push(...meetOnPhone(visitor, account, sit, random, from))
  if (account.isFounder && account.activatedOn !== undefined && random.happens(0.035))
    events.push(...inviteeOf(visitor, account, population, { day, from, chance: random }))
  return events
}

function meetOnPhone(
  visitor: DemoVisitor,
  account: DemoAccount,
  sit: (who: DemoVisitor) => DemoVisit,
  random: SeededRandom,
  from: number,
): DemoEvent[] {
  const equipment = account.newPhone ?? visitor.equipment
  account.newPhone = undefined
  const anonymousId = random.uuid(from)
  const phone: DemoVisitor = {
    ...visitor,
    anonymousId,
    equipment,
    evaluatedFlags: new Set(),
    account: undefined,
  }
  const visit = sit(phone)
  meetAgain(visit, account)
  return visit.events
}

/** Returns a colleague who follows an invitation straight to the sign-up form. */
function inviteeOf(
  { home, acquisition }: DemoVisitor,
  { company }: DemoAccount,
  population: DemoPopulation,
  { day, from, chance: random }: DemoDay,
): DemoEvent[] {
  const colleague = { ...newVisitor(acquisition, day, from, random) }
  colleague.home = { country: home.country, address: home.address }
  const visit = new DemoVisit(colleague, timeFor(colleague, from, random), random)
  signUpOn(visit, day, company)
  visit.leave()
  rememberVisitor(population, colleague)
  return visit.events
}

/** Returns a time of the day in the visitor's time zone. */
function timeFor({ home }: DemoVisitor, from: number, random: SeededRandom): number {
  const { hour } = random.weighted(hours)
  const utc = (((hour - home.country.offset) % 24) + 24) % 24
  return from + Math.round((utc + random.next()) * hourMs)
}
