import type { Properties } from '../events/event'
import type { Acquisition } from './acquisitions'
import { gainOf } from './flags'
import { type Company, newCompany, newSomebody, type Somebody } from './people'
import { welcome } from './site'
import { isReleased } from './story'
import type { Visit } from './visit'
import { type Account, anotherEquipment, type Visitor } from './visitor'

/** From the form to the first board, or to giving up on the way. */
export function signUpOn(visit: Visit, day: number, invitedTo?: Company): void {
  const { visitor, chance } = visit
  visit.record('$form_submit', { form: 'signup' })
  const company = invitedTo ?? newCompany(visitor.home.country.code, chance)
  const account = newAccount(visitor, company, day, visit, invitedTo === undefined)
  visitor.account = account
  visit.record('$identify', {
    $anon_distinct_id: visitor.anonymousId,
    $set: describe(account),
    $set_once: { signed_up_at: new Date(visit.now).toISOString(), ...beginningOf(visitor.acquisition) },
  })
  company.seats += invitedTo ? 1 : 0
  visit.record('$groupidentify', groupOf(company))
  visit.record('signup', {
    method: chance.pick(['email', 'email', 'google', 'microsoft']),
    invited: !account.isFounder,
  })
  visit.open(welcome)
  visit.ask('new-onboarding')
  visit.look()
  if (chance.happens(shareActivatedAtOnce * gainOf('new-onboarding', visitor))) activate(visit, day)
}

/** What posthog-js remembers of the very first page until there is a person to tell it of. */
function beginningOf({ referrer, query }: Acquisition): Properties {
  const campaign = [...new URLSearchParams(query)].map(([name, value]) => [`$initial_${name}`, value])
  return {
    $initial_referrer: referrer ?? '$direct',
    $initial_referring_domain: referrer ? new URL(referrer).host : '$direct',
    ...Object.fromEntries(campaign),
  }
}

const shareActivatedAtOnce = 0.46

function newAccount(
  { equipment }: Visitor,
  company: Company,
  day: number,
  { chance }: Visit,
  isFounder: boolean,
): Account {
  const person: Somebody = newSomebody(company.domain, chance)
  return {
    person: isFounder ? { ...person, role: chance.happens(0.45) ? 'founder' : person.role } : person,
    company,
    isFounder,
    signedUpOn: day,
    activatedOn: undefined,
    habit: habitOf(day, chance.next()),
    subscribedOn: undefined,
    cancelledOn: undefined,
    billingId: undefined,
    wasAskedOn: undefined,
    usesApp: chance.happens(0.16),
    newPhone: chance.happens(0.22) ? anotherEquipment(equipment, chance) : undefined,
  }
}

/** Most stay away after some days; the others come as often as the product is good. */
function habitOf(day: number, luck: number): number {
  const stays = isReleased(day) ? 0.58 : 0.34
  if (luck > stays) return 0.012
  return (isReleased(day) ? 0.4 : 0.3) + 0.35 * (luck / stays)
}

/** The first thing done that the product is for. */
export function activate(visit: Visit, day: number): void {
  const account = visit.visitor.account
  if (!account || account.activatedOn !== undefined) return
  account.activatedOn = day
  visit.record('board created', {
    template: visit.chance.pick(['blank', 'sprint', 'editorial', 'hiring']),
    is_first: true,
  })
  visit.record('activated', { $set: { activated_at: new Date(visit.now).toISOString() } })
}

export const describe = ({ person, company }: Account): Properties => ({
  name: person.name,
  email: person.email,
  role: person.role,
  plan: company.plan,
  country: company.country,
  company: company.name,
})

export const groupOf = ({ key, name, plan, seats, country, industry }: Company): Properties => ({
  $group_type: 'company',
  $group_key: key,
  $group_set: { name, plan, seats, country, industry },
})
