import type { Properties } from '#events/event'
import type { DemoAcquisition } from './acquisitions'
import { gainOf } from './flags'
import { type DemoCompany, newCompany, newPerson, type DemoPerson } from './people'
import { welcome } from './site'
import { isReleased } from './story'
import type { DemoVisit } from './visit'
import { type DemoAccount, anotherDevice, type DemoVisitor } from './visitor'

/** Generates the funnel from the form to the first board, with drop-offs. */
export function signUpOn(visit: DemoVisit, day: number, invitedTo?: DemoCompany): void {
  const { visitor, chance: random } = visit
  visit.record('$form_submit', { form: 'signup' })
  const company = invitedTo ?? newCompany(visitor.home.country.code, random)
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
    method: random.pick(['email', 'email', 'google', 'microsoft']),
    invited: !account.isFounder,
  })
  visit.open(welcome)
  visit.ask('new-onboarding')
  visit.look()
  if (random.happens(shareActivatedAtOnce * gainOf('new-onboarding', visitor))) activate(visit, day)
}

/** Returns the initial properties that posthog-js keeps until a person is identified. */
function beginningOf({ referrer, query }: DemoAcquisition): Properties {
  const campaign = [...new URLSearchParams(query)].map(([name, value]) => [`$initial_${name}`, value])
  return {
    $initial_referrer: referrer ?? '$direct',
    $initial_referring_domain: referrer ? new URL(referrer).host : '$direct',
    ...Object.fromEntries(campaign),
  }
}

const shareActivatedAtOnce = 0.46

function newAccount(
  { equipment }: DemoVisitor,
  company: DemoCompany,
  day: number,
  { chance: random }: DemoVisit,
  isFounder: boolean,
): DemoAccount {
  const person: DemoPerson = newPerson(company.domain, random)
  return {
    person: isFounder ? { ...person, role: random.happens(0.45) ? 'founder' : person.role } : person,
    company,
    isFounder,
    signedUpOn: day,
    activatedOn: undefined,
    habit: habitOf(day, random.next()),
    subscribedOn: undefined,
    cancelledOn: undefined,
    billingId: undefined,
    lastSurveyOn: undefined,
    seenSurveys: new Set(),
    usesApp: random.happens(0.16),
    newPhone: random.happens(0.22) ? anotherDevice(equipment, random) : undefined,
  }
}

/** Returns how often an account uses the product: most stop after some days. */
function habitOf(day: number, luck: number): number {
  const stays = isReleased(day) ? 0.58 : 0.34
  if (luck > stays) return 0.012
  return (isReleased(day) ? 0.4 : 0.3) + 0.35 * (luck / stays)
}

/** Generates the activation: the first use of the core feature. */
export function activate(visit: DemoVisit, day: number): void {
  const account = visit.visitor.account
  if (!account || account.activatedOn !== undefined) return
  account.activatedOn = day
  visit.record('board created', {
    template: visit.chance.pick(['blank', 'sprint', 'editorial', 'hiring']),
    is_first: true,
  })
  visit.record('activated', { $set: { activated_at: new Date(visit.now).toISOString() } })
}

export const describe = ({ person, company }: DemoAccount): Properties => ({
  name: person.name,
  email: person.email,
  role: person.role,
  plan: company.plan,
  country: company.country,
  company: company.name,
})

export const groupOf = ({ key, name, plan, seats, country, industry }: DemoCompany): Properties => ({
  $group_type: 'company',
  $group_key: key,
  $group_set: { name, plan, seats, country, industry },
})
