import type { DemoAcquisition } from './acquisitions'
import type { SeededRandom } from './seeded-random'
import { presentSurvey } from './answering'
import { gainOf } from './flags'
import {
  buttons,
  documentation,
  downloads,
  home,
  missing,
  notFound,
  outbound,
  type DemoPage,
  pages,
  type DemoPost,
  posts,
  pricing,
  product,
  signUp,
} from './site'
import { isReleased } from './story'
import { signUpOn } from './sign-up'
import { postFeedback } from './surveys'
import type { DemoVisit } from './visit'

/** The share of pricing page visitors who sign up on an average day. */
const usualShare = 0.2
/** The share of readers who open the pricing page. */
const curiousShare = 0.34

/** Generates the first visit, which has the referrer. */
export function arrive(visit: DemoVisit, day: number): void {
  const { acquisition } = visit.visitor
  land(visit, acquisition, day)
  wander(visit, day)
}

/** Generates a later visit, which is direct. */
export function comeBack(visit: DemoVisit, day: number): void {
  const { chance: random } = visit
  visit.open(random.happens(0.4) ? home : random.weighted(pages))
  wander(visit, day)
}

function land(visit: DemoVisit, acquisition: DemoAcquisition, day: number): void {
  const { referrer: from, click } = acquisition
  const clicked = click ? `${click}=${visit.chance.letters(24)}` : undefined
  const query = [acquisition.query, clicked].filter((part) => part !== undefined).join('&')
  const page = landingOf(acquisition, day, visit.chance)
  visit.open(page, { from, query })
  if (page.title === notFound.title) visit.record('$not_found')
}

function landingOf({ lands }: DemoAcquisition, day: number, random: SeededRandom): DemoPage {
  if (lands === 'post') return postOn(day, random)
  if (lands === 'docs') return random.weighted(documentation)
  if (lands === 'pricing') return pricing
  return lands === 'home' ? home : { ...notFound, url: product.site + random.pick(missing) }
}

/** Picks a post; the newest are read most. */
export function postOn(day: number, random: SeededRandom): DemoPost {
  const interest = ({ published }: DemoPost) => 0.25 + 3 * Math.exp(-(day - published) / 9)
  const [first, ...others] = posts
    .filter(({ published }) => published <= day)
    .map((post) => ({ ...post, weight: post.weight * interest(post) }))
  return first ? random.weighted([first, ...others]) : posts[0]
}

function wander(visit: DemoVisit, day: number): void {
  const { chance: random } = visit
  visit.look()
  considerFeedback(visit)
  stumble(visit)
  const isInterested = random.happens(0.56)
  if (isInterested) readOn(visit, day)
  if (isInterested && random.happens(curiousShare)) lookAtPrices(visit, day)
  visit.leave()
}

function readOn(visit: DemoVisit, day: number): void {
  const { chance: random } = visit
  visit.ask('sticky-menu')
  for (let more = 0; more < 6 && (more === 0 || random.happens(0.42)); more++) {
    if (random.happens(0.3)) pressSomething(visit)
    visit.open(random.happens(0.25) ? postOn(day, random) : random.weighted(pages)).look()
    considerFeedback(visit)
    if (random.happens(0.05)) followLink(visit)
    if (random.happens(0.022)) visit.record('$file_download', { url: random.pick(downloads) })
  }
}

/** The share of readers who scroll down to the survey below a post. */
const shareAtTheEnd = 0.3
const readerHabits = { answered: 0.16, dismissed: 0, stopped: 0.35 } as const

/** A reader of a post may come to the survey at its end. */
function considerFeedback(visit: DemoVisit): void {
  const { chance: random, shown } = visit
  if (!shown?.url.startsWith(`${product.site}/blog/`) || !random.happens(shareAtTheEnd)) return
  presentSurvey(visit, postFeedback, readerHabits, random.next())
}

function pressSomething(visit: DemoVisit): void {
  const { text, element, within } = visit.chance.weighted(buttons)
  visit.press(text, element, within)
}

function followLink(visit: DemoVisit): void {
  const url = visit.chance.pick(outbound)
  visit.record('$outbound_click', { url, $external_click_url: url })
}

/** Records occasional rage clicks and script errors. */
function stumble(visit: DemoVisit): void {
  const { chance: random } = visit
  if (random.happens(0.008))
    visit.record('$rageclick', {
      $event_type: 'click',
      $el_text: 'Compare plans',
      $elements_chain:
        'h3.plans:nth-child="1"nth-of-type="1"text="Compare plans";section.pricing:nth-child="3"nth-of-type="3";body:',
    })
  if (random.happens(0.006))
    visit.record(
      '$exception',
      exceptionOf('TypeError', "Cannot read properties of null (reading 'offsetTop')", 'tour.js'),
    )
}

export const exceptionOf = (type: string, value: string, file: string) => ({
  $exception_level: 'error',
  $exception_types: [type],
  $exception_values: [value],
  $exception_list: [
    {
      type,
      value,
      mechanism: { type: 'onerror', handled: false },
      stacktrace: {
        type: 'raw',
        frames: [{ filename: `${product.site}/assets/${file}`, lineno: 41, colno: 17 }],
      },
    },
  ],
})

function lookAtPrices(visit: DemoVisit, day: number): void {
  const { visitor, chance: random } = visit
  visit.open(pricing)
  visit.ask('pricing-headline')
  visit.look()
  if (visitor.account) return
  const share = usualShare * visitor.acquisition.willing * gainOf('pricing-headline', visitor)
  if (!random.happens(share * (isReleased(day) ? 1.12 : 1))) return
  visit.press('Start for free', 'a', 'section.plans').open(signUp).look()
  if (random.happens(0.78)) signUpOn(visit, day)
}
