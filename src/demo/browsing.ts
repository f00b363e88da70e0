import type { Acquisition } from './acquisitions'
import type { Chance } from './chance'
import { gainOf } from './flags'
import {
  buttons,
  documentation,
  downloads,
  home,
  missing,
  notFound,
  outbound,
  type Page,
  pages,
  type Post,
  posts,
  pricing,
  product,
  signUp,
} from './site'
import { isReleased } from './story'
import { signUpOn } from './signing-up'
import type { Visit } from './visit'

/** Of those who saw the prices, so many sign up, all else being usual. */
const usualShare = 0.2
/** Of those who read on, so many look at the prices. */
const curiousShare = 0.34

/** The first sitting: it says where the visitor came from. */
export function arrive(visit: Visit, day: number): void {
  const { acquisition } = visit.visitor
  land(visit, acquisition, day)
  wander(visit, day)
}

/** A later one, of somebody who knows the address by now. */
export function comeBack(visit: Visit, day: number): void {
  const { chance } = visit
  visit.open(chance.happens(0.4) ? home : chance.weighted(pages))
  wander(visit, day)
}

function land(visit: Visit, acquisition: Acquisition, day: number): void {
  const { referrer: from, click } = acquisition
  const clicked = click ? `${click}=${visit.chance.letters(24)}` : undefined
  const query = [acquisition.query, clicked].filter((part) => part !== undefined).join('&')
  const page = landingOf(acquisition, day, visit.chance)
  visit.open(page, { from, query })
  if (page.title === notFound.title) visit.record('$not_found')
}

function landingOf({ lands }: Acquisition, day: number, chance: Chance): Page {
  if (lands === 'post') return postOn(day, chance)
  if (lands === 'docs') return chance.weighted(documentation)
  if (lands === 'pricing') return pricing
  return lands === 'home' ? home : { ...notFound, url: product.site + chance.pick(missing) }
}

/** The newest are read most. */
export function postOn(day: number, chance: Chance): Post {
  const interest = ({ published }: Post) => 0.25 + 3 * Math.exp(-(day - published) / 9)
  const [first, ...others] = posts
    .filter(({ published }) => published <= day)
    .map((post) => ({ ...post, weight: post.weight * interest(post) }))
  return first ? chance.weighted([first, ...others]) : posts[0]
}

function wander(visit: Visit, day: number): void {
  const { chance } = visit
  visit.look()
  stumble(visit)
  const isInterested = chance.happens(0.56)
  if (isInterested) readOn(visit, day)
  if (isInterested && chance.happens(curiousShare)) lookAtPrices(visit, day)
  visit.leave()
}

function readOn(visit: Visit, day: number): void {
  const { chance } = visit
  for (let more = 0; more < 6 && (more === 0 || chance.happens(0.42)); more++) {
    if (chance.happens(0.3)) pressSomething(visit)
    visit.open(chance.happens(0.25) ? postOn(day, chance) : chance.weighted(pages)).look()
    if (chance.happens(0.05)) followLink(visit)
    if (chance.happens(0.022)) visit.record('$file_download', { url: chance.pick(downloads) })
  }
}

function pressSomething(visit: Visit): void {
  const { text, element, within } = visit.chance.weighted(buttons)
  visit.press(text, element, within)
}

function followLink(visit: Visit): void {
  const url = visit.chance.pick(outbound)
  visit.record('$outbound_click', { url, $external_click_url: url })
}

/** What goes wrong on a site: something that looks like a button and is none, a script that fails. */
function stumble(visit: Visit): void {
  const { chance } = visit
  if (chance.happens(0.008))
    visit.record('$rageclick', {
      $event_type: 'click',
      $el_text: 'Compare plans',
      $elements_chain:
        'h3.plans:nth-child="1"nth-of-type="1"text="Compare plans";section.pricing:nth-child="3"nth-of-type="3";body:',
    })
  if (chance.happens(0.006))
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

function lookAtPrices(visit: Visit, day: number): void {
  const { visitor, chance } = visit
  visit.open(pricing)
  visit.ask('pricing-headline')
  visit.look()
  if (visitor.account) return
  const share = usualShare * visitor.acquisition.willing * gainOf('pricing-headline', visitor)
  if (!chance.happens(share * (isReleased(day) ? 1.12 : 1))) return
  visit.press('Start for free', 'a', 'section.plans').open(signUp).look()
  if (chance.happens(0.78)) signUpOn(visit, day)
}
