import type { Properties } from '#events/event'
import { presentSurvey } from './answering'
import { exceptionOf } from './browsing'
import { forgottenOn, gainOf } from './flags'
import { seatPrice } from './people'
import { activate, describe, groupOf } from './sign-up'
import { billing, board, boards, pricing, productPages, signIn } from './site'
import { screens } from './devices'
import { isBroken, isReleased } from './story'
import { marketFit, recommendation } from './surveys'
import type { DemoVisit } from './visit'
import type { DemoAccount } from './visitor'

/** Returns the probability that a person with an account uses the product on an ordinary day. */
export function readiness(account: DemoAccount, day: number): number {
  const age = day - account.signedUpOn
  if (age <= 0 || account.cancelledOn !== undefined) return 0
  const firstDays = (account.activatedOn === undefined ? 0.22 : 0.62) * Math.exp(-age / 2.6)
  const inTheLongRun = account.activatedOn === undefined ? 0.006 : account.habit * Math.exp(-age / 160)
  // the release also affects existing accounts
  const renewed = isReleased(day) ? 1.15 : 1
  return Math.min(0.95, firstDays + inTheLongRun * renewed)
}

/** Generates a session at work. */
export function work(visit: DemoVisit, day: number): void {
  const { chance: random } = visit
  const account = visit.visitor.account
  if (!account) return
  visit.open(boards)
  askForFlags(visit, day)
  visit.look(0.6)
  if (account.activatedOn === undefined && random.happens(0.4)) activate(visit, day)
  const rounds = account.activatedOn === undefined ? 1 : random.whole(1, 4)
  for (let round = 0; round < rounds; round++) workOn(visit, day)
  if (random.happens(0.35)) askForOpinion(visit, account, day)
  considerPaying(visit, account, day)
  visit.leave()
}

function askForFlags(visit: DemoVisit, day: number): void {
  visit.ask('plan-limits')
  if (day < forgottenOn) visit.ask('legacy-editor')
  if (isReleased(day)) visit.ask('card-shortcuts')
}

function workOn(visit: DemoVisit, day: number): void {
  const { chance: random } = visit
  const page = random.happens(0.3) ? random.weighted(productPages) : board(random.whole(1, 9000))
  visit.open(page).look()
  if (page === billing && isBroken(day)) fail(visit)
  const { event, properties } = random.weighted(productActions)
  visit.record(event, properties)
  if (random.happens(0.012))
    visit.record(
      '$exception',
      exceptionOf('TimeoutError', 'The board could not be saved in time', 'board.js'),
    )
}

interface ProductAction {
  event: string
  properties: Properties
  weight: number
}

/** The actions in the product. */
const productActions: readonly [ProductAction, ...ProductAction[]] = [
  { event: 'card moved', properties: { to: 'doing' }, weight: 9 },
  { event: 'card moved', properties: { to: 'done' }, weight: 7 },
  { event: 'card created', properties: { from: 'board' }, weight: 9 },
  { event: 'card created', properties: { from: 'shortcut' }, weight: 3 },
  { event: 'comment written', properties: {}, weight: 6 },
  { event: 'search used', properties: {}, weight: 3 },
  { event: 'automation run', properties: { recipe: 'remind me' }, weight: 2 },
  { event: 'board created', properties: { template: 'sprint', is_first: false }, weight: 1 },
  { event: 'teammate invited', properties: {}, weight: 1.2 },
  { event: 'export downloaded', properties: { format: 'csv' }, weight: 0.5 },
]

/** Days without another survey, as the surveys themselves wait. */
const daysBetweenSurveys = 30

const accountSurveys = [
  { survey: marketFit, fromAge: 21, habits: { answered: 0.42, dismissed: 0.36, stopped: 0.12 } },
  { survey: recommendation, fromAge: 2, habits: { answered: 0.58, dismissed: 0.26, stopped: 0.14 } },
] as const

/** Shows the first survey that the account has not seen, a month after the one before. */
function askForOpinion(visit: DemoVisit, account: DemoAccount, day: number): void {
  const { activatedOn, lastSurveyOn = -Infinity, seenSurveys, signedUpOn } = account
  if (activatedOn === undefined || day - lastSurveyOn < daysBetweenSurveys) return
  const next = accountSurveys.find(
    ({ survey, fromAge }) =>
      day > survey.launchDay && day - signedUpOn >= fromAge && !seenSurveys.has(survey.id),
  )
  if (!next) return
  account.lastSurveyOn = day
  seenSurveys.add(next.survey.id)
  presentSurvey(visit, next.survey, next.habits, moodOn(visit, day))
}

/** The release makes people happier, the outage does the opposite. */
function moodOn({ chance: random }: DemoVisit, day: number): number {
  const mood = random.between(isReleased(day) ? 0.3 : 0.05, 1)
  return isBroken(day) ? mood - 0.25 : mood
}

/** The founder of the account decides about paying when the trial is about to end. */
function considerPaying(visit: DemoVisit, account: DemoAccount, day: number): void {
  const { chance: random } = visit
  const age = day - account.signedUpOn
  if (!account.isFounder || account.activatedOn === undefined || account.subscribedOn !== undefined) return
  if (age < 2 || !random.happens(0.075 * gainOf('new-onboarding', visit.visitor))) return
  visit.open(pricing).look(0.6).open(billing).look()
  if (isBroken(day)) return fail(visit)
  if (random.happens(0.8)) subscribe(visit, account, day)
}

function fail(visit: DemoVisit): void {
  for (let attempt = 0; attempt < 3; attempt++) {
    visit.press('Pay now', 'button', 'form.payment')
    visit.record('$exception', exceptionOf('PaymentError', 'The payment page did not answer', 'billing.js'))
    visit.wait(visit.chance.around(14))
  }
  visit.record('$rageclick', { $event_type: 'click', $el_text: 'Pay now' })
}

function subscribe(visit: DemoVisit, account: DemoAccount, day: number): void {
  const { chance: random } = visit
  const { company } = account
  company.plan = random.happens(0.7) ? 'team' : 'business'
  company.seats = Math.max(company.seats, random.whole(2, company.plan === 'team' ? 8 : 24))
  account.subscribedOn = day
  account.billingId = `cus_${random.letters(10)}`
  visit.press('Pay now', 'button', 'form.payment')
  visit.record('subscribed', {
    plan: company.plan,
    seats: company.seats,
    $revenue: seatPrice[company.plan] * company.seats,
    $currency: 'EUR',
    $set: describe(account),
  })
  visit.record('$groupidentify', groupOf(company))
  // from now on the billing system sends events under its own id of this person
  visit.record('$create_alias', { alias: account.billingId })
}

/** Generates a session in the product's app. */
export function workOnPhone(visit: DemoVisit): void {
  const { chance: random } = visit
  visit.record('Application Opened')
  for (const name of screens.slice(0, random.whole(2, screens.length)))
    visit.record('$screen', { $screen_name: name }).wait(random.around(25))
  if (random.happens(0.5)) visit.record('card moved', { to: 'done' })
}

/** Generates a visit in which the owner signs in on a second browser. */
export function meetAgain(visit: DemoVisit, account: DemoAccount): void {
  const { visitor } = visit
  visit.open(signIn).look()
  visitor.account = account
  visit.record('$identify', { $anon_distinct_id: visitor.anonymousId, $set: describe(account) })
  visit.open(boards).look()
  visit.leave()
}
