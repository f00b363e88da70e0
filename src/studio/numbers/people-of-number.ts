import { queryFrom } from '#insights/text/query-text'
import { asAskedNumber, type AskedNumber, liveConditionOf } from '#insights/people/number-queries'
import { numberName } from '#insights/people/number-words'
import { failedOutcome, type Outcome } from '#projects/problems'
import { getProduct } from '#studio/product'
import type { Opened } from '#studio/parts/open-project'
import { tryEngine } from '#studio/parts/refusals'
import { type SearchParams, textOf } from '#studio/search-params'

/** The persons of a number, as the forms show them that are filled in for them. */
export interface NumberPeople {
  /** The text of the query and the point, as the address has them. */
  q: string
  point: string
  /** A name for the cohort that is made of them. */
  name: string
  total: number
  /** Whether a condition tells who they are, so that a cohort can take in later ones. */
  canBeLive: boolean
}

/** Undefined for invalid JSON; the product validates the value. */
export function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads the number of an address, without asking who is behind it. */
export const numberIn = ({ q, point }: SearchParams): AskedNumber | undefined =>
  asAskedNumber(queryFrom(textOf(q)), jsonOf(textOf(point)))

/** Counts the persons of the number in an address; undefined for an address without one. */
export async function peopleOfNumber(
  { project, viewer }: Pick<Opened, 'project' | 'viewer'>,
  search: SearchParams,
): Promise<Outcome<{ people: NumberPeople }> | undefined> {
  const [q, point] = [textOf(search['q']), textOf(search['point'])]
  if (q === undefined || point === undefined) return undefined
  const number = numberIn(search)
  if (!number) return failedOutcome('The address of this number is incomplete. Press the number again.')
  const counted = await tryEngine(() =>
    getProduct().people.countBehind(project.id, number.query, number.point, viewer),
  )
  if (!counted.done) return counted
  const canBeLive = liveConditionOf(number) !== undefined
  return { done: true, people: { q, point, name: numberName(number), total: counted.total, canBeLive } }
}
