import {
  Bell,
  Flag,
  Filter as FilterIcon,
  GitCompareArrows,
  type LucideIcon,
  Mail,
  MessageCircleQuestionMark,
  UsersRound,
  UserRoundPlus,
} from 'lucide-react'
import { queryFrom, queryText } from '#insights/text/query-text'
import {
  asAskedNumber,
  type AskedNumber,
  comparisonOf,
  watchedEventOf,
  webConditionsOf,
} from '#insights/people/number-queries'
import { type Right, type Role, roleCovers } from '#projects/access'
import { type NumberParameters, paths } from '#studio/paths'
import { numberAddressParts } from './number-address'

/** The persons behind one number of an answer: a link to their list, read. */
export interface LinkedNumber extends AskedNumber {
  slug: string
  /** The query and the point, as addresses have them. */
  parameters: Required<NumberParameters>
}

/** One thing to do with the persons of a number. */
export interface NumberAction {
  id: 'who' | 'compare' | 'segment' | 'cohort' | 'flag' | 'survey' | 'letter' | 'alert'
  label: string
  icon: LucideIcon
  /** The rights that the form needs; without them the action is not offered. */
  needs: readonly Right[]
  /** Returns the form that is filled in, or undefined where it does not apply to this number. */
  hrefOf: (number: LinkedNumber) => string | undefined
}

export const numberActions: readonly NumberAction[] = [
  {
    id: 'who',
    label: 'Who are they',
    icon: UsersRound,
    needs: ['events:read'],
    hrefOf: ({ slug, query, point }) => paths.personsBehind(slug, query, point),
  },
  {
    id: 'compare',
    label: 'Compare',
    icon: GitCompareArrows,
    needs: ['events:read'],
    hrefOf: (number) => {
      const compared = comparisonOf(number)
      return compared && paths.newInsight(number.slug, { q: queryText(compared) })
    },
  },
  {
    id: 'segment',
    label: 'As a segment',
    icon: FilterIcon,
    needs: ['insights:write'],
    hrefOf: (number) => webConditionsOf(number) && paths.web(number.slug, Object.entries(number.parameters)),
  },
  {
    id: 'cohort',
    label: 'Make a cohort',
    icon: UserRoundPlus,
    needs: ['insights:write'],
    hrefOf: ({ slug, parameters }) => paths.newCohort(slug, parameters),
  },
  {
    id: 'flag',
    label: 'Turn a flag on for them',
    icon: Flag,
    needs: ['flags:write', 'insights:write'],
    hrefOf: ({ slug, parameters }) => paths.newFlag(slug, parameters),
  },
  {
    id: 'survey',
    label: 'Ask them a question',
    icon: MessageCircleQuestionMark,
    needs: ['surveys:write', 'insights:write'],
    hrefOf: ({ slug, parameters }) => paths.newSurvey(slug, parameters),
  },
  {
    id: 'letter',
    label: 'Write to them',
    icon: Mail,
    needs: ['letters:write', 'insights:write'],
    hrefOf: ({ slug, parameters }) => paths.newLetter(slug, parameters),
  },
  {
    id: 'alert',
    label: 'Watch this',
    icon: Bell,
    needs: ['alerts:write'],
    hrefOf: (number) => watchedEventOf(number) && paths.newAlert(number.slug, number.parameters),
  },
]

/** The actions whose forms a role may send. */
export const actionsFor = (role: Role): string[] =>
  numberActions.flatMap(({ id, needs }) => (needs.every((right) => roleCovers(role, right)) ? [id] : []))

/** Reads the link of a number; undefined for a query that an address cut short. */
export function linkedNumber(address: string): LinkedNumber | undefined {
  const parts = numberAddressParts(address)
  if (!parts) return undefined
  const { slug, q, point } = parts
  const asked = asAskedNumber(queryFrom(q), jsonIn(point))
  return asked && { slug, ...asked, parameters: { q, point } }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
