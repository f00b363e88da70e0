import { acquisitions, expectedOn } from './acquisitions'
import { bill } from './billing'
import { arrive, comeBack } from './browsing'
import { Chance } from './chance'
import { crawled } from './crawling'
import { type App, apps } from './equipment'
import type { DemoEvent } from './event'
import { signUpOn } from './signing-up'
import { beginningOfDay, dayMs, hourMs, hours, siteRhythm, story, useRhythm } from './story'
import { meetAgain, readiness, work, workOnPhone } from './using'
import { Visit } from './visit'
import { type Account, newVisitor, type Visitor } from './visitor'

/** Which story to tell, how thickly, and up to when. The same is told again in the same words. */
export interface Telling {
  seed: string
  /** The first day, at midnight in UTC. */
  begin: Date
  /** What would be later than this is not told. */
  until: Date
  /** About so many, in the first `story.days` days. */
  events: number
}

/** How many there are at a density of one. */
const usualEvents = 142_500

export const beginningBefore = (now: Date): Date =>
  new Date(beginningOfDay(now.getTime()) - story.days * dayMs)

/**
 * A believable product's days, one after the other, each as its events in the order they happened. A day is always made
 * whole, so that tomorrow's telling agrees with today's.
 */
export function* days({ seed, begin, until, events }: Telling): Generator<DemoEvent[]> {
  const town: Town = { visitors: [], accounts: [], density: events / usualEvents }
  let later: DemoEvent[] = []
  for (let day = 0; ; day++) {
    const from = begin.getTime() + day * dayMs
    if (from > until.getTime()) return
    const chance = new Chance(`${seed} ${day}`)
    const all = [...later, ...happenings(town, day, from, chance)].sort(byTime)
    const next = new Date(from + dayMs).toISOString()
    const end = until.toISOString() < next ? until.toISOString() : next
    later = all.filter(({ timestamp }) => timestamp >= next)
    yield all.filter(({ timestamp }) => timestamp < end)
  }
}

const byTime = (one: DemoEvent, other: DemoEvent): number =>
  one.timestamp < other.timestamp ? -1 : one.timestamp > other.timestamp ? 1 : 0

/** Everybody who may come back. */
interface Town {
  visitors: Visitor[]
  accounts: { visitor: Visitor; account: Account }[]
  /** In parts of the usual crowd. */
  density: number
}

function happenings(town: Town, day: number, from: number, chance: Chance): DemoEvent[] {
  const known = [...town.accounts]
  return [
    ...crawled(day, from, town.density, chance),
    ...arrivals(town, day, from, chance),
    ...returns(town, day, from, chance),
    ...known.flatMap((one) => dayOf(one, town, { day, from, chance })),
  ]
}

function arrivals(town: Town, day: number, from: number, chance: Chance): DemoEvent[] {
  return acquisitions.flatMap((acquisition) => {
    const amount = chance.amount(expectedOn(acquisition, day, from) * town.density)
    return Array.from({ length: amount }, () => {
      const visitor = newVisitor(acquisition, day, from, chance)
      const visit = new Visit(visitor, timeFor(visitor, from, chance), chance)
      arrive(visit, day)
      settle(town, visitor)
      return visit.events
    }).flat()
  })
}

/** Nobody who will not come back needs to be remembered. */
function settle(town: Town, visitor: Visitor): void {
  const { account } = visitor
  if (account) town.accounts.push({ visitor, account })
  else if (visitor.curiosity > 0) town.visitors.push(visitor)
}

/** After so many days a visitor has forgotten the site. */
const rememberedDays = 45

function returns(town: Town, day: number, from: number, chance: Chance): DemoEvent[] {
  const staying: Visitor[] = []
  const events = town.visitors.flatMap((visitor) => {
    const age = day - visitor.cameOn
    if (age >= rememberedDays) return []
    const isBack = age > 0 && chance.happens(visitor.curiosity * Math.exp(-age / 9) * siteRhythm(from))
    const visit = isBack ? new Visit(visitor, timeFor(visitor, from, chance), chance) : undefined
    if (visit) comeBack(visit, day)
    if (visitor.account) town.accounts.push({ visitor, account: visitor.account })
    else staying.push(visitor)
    return visit?.events ?? []
  })
  town.visitors = staying
  return events
}

interface Moment {
  day: number
  from: number
  chance: Chance
}

function dayOf(
  { visitor, account }: { visitor: Visitor; account: Account },
  town: Town,
  { day, from, chance }: Moment,
): DemoEvent[] {
  const events = bill(account, day, from, chance)
  if (!chance.happens(readiness(account, day) * useRhythm(from))) return events
  const sit = (who: Visitor, app?: App) => new Visit(who, timeFor(who, from, chance), chance, app)
  const visit = sit(visitor)
  work(visit, day)
  events.push(...visit.events)
  if (account.usesApp && chance.happens(0.5)) {
    const onPhone = sit(visitor, chance.weighted(apps))
    workOnPhone(onPhone)
    events.push(...onPhone.events)
  }
  if (account.newPhone && chance.happens(0.2))
    events.push(...meetOnPhone(visitor, account, sit, chance, from))
  if (account.isFounder && account.activatedOn !== undefined && chance.happens(0.035))
    events.push(...inviteeOf(visitor, account, town, { day, from, chance }))
  return events
}

function meetOnPhone(
  visitor: Visitor,
  account: Account,
  sit: (who: Visitor) => Visit,
  chance: Chance,
  from: number,
): DemoEvent[] {
  const equipment = account.newPhone ?? visitor.equipment
  account.newPhone = undefined
  const anonymousId = chance.uuid(from)
  const phone: Visitor = { ...visitor, anonymousId, equipment, asked: new Set(), account: undefined }
  const visit = sit(phone)
  meetAgain(visit, account)
  return visit.events
}

/** A colleague follows the link in a letter, straight to the form. */
function inviteeOf(
  { home, acquisition }: Visitor,
  { company }: Account,
  town: Town,
  { day, from, chance }: Moment,
): DemoEvent[] {
  const colleague = { ...newVisitor(acquisition, day, from, chance) }
  colleague.home = { country: home.country, address: home.address }
  const visit = new Visit(colleague, timeFor(colleague, from, chance), chance)
  signUpOn(visit, day, company)
  visit.leave()
  settle(town, colleague)
  return visit.events
}

/** A moment of the day, by the clock where the visitor is. */
function timeFor({ home }: Visitor, from: number, chance: Chance): number {
  const { hour } = chance.weighted(hours)
  const utc = (((hour - home.country.offset) % 24) + 24) % 24
  return from + Math.round((utc + chance.next()) * hourMs)
}
