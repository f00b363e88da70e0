import { LRUCache } from 'lru-cache'
import type { QueryCost } from '#insights/answered-query'
import type { Viewer } from '#projects/access'
import type { Product } from '#server/product'
import { number, plural } from '#ui/format'

/** The rest of the minute of an assistant. */
interface BudgetLeft {
  calls: number
  rows: number
  /** Until all of it is there again. */
  seconds: number
}

/** The part of an assistant's minute that one call may spend. */
export interface CallBudget {
  left: () => BudgetLeft
  /** Counts rows that the engine has read for the call. */
  spend: (rows: number) => void
}

interface Minute {
  endsAt: number
  calls: number
  rows: number
}

const minuteMs = 60_000
/** The most assistants that are remembered; one that is forgotten has a whole minute again. */
const mostAssistants = 10_000

export const minuteLimits = { calls: 60, rows: 500_000_000 }

/** Counts the calls of each assistant and the rows that they read, in the memory of a front. */
export class AgentBudgets {
  private readonly minutes = new LRUCache<string, Minute>({ max: mostAssistants })

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Counts a call. A sentence refuses one that is too much. */
  begin(assistant: string): CallBudget | string {
    const minute = this.minuteOf(assistant)
    if (minute.calls >= minuteLimits.calls)
      return `${minuteLimits.calls} calls a minute are used up. Ask again in ${this.waitWords(minute)}, and ask for more in one call: a dashboard, several series of a trend, or more rows.`
    minute.calls++
    return {
      left: () => this.leftOf(minute),
      spend: (rows) => {
        minute.rows += rows
      },
    }
  }

  private minuteOf(assistant: string): Minute {
    const known = this.minutes.get(assistant)
    if (known && known.endsAt > this.now()) return known
    const begun = { endsAt: this.now() + minuteMs, calls: 0, rows: 0 }
    this.minutes.set(assistant, begun)
    return begun
  }

  private leftOf(minute: Minute): BudgetLeft {
    return {
      calls: minuteLimits.calls - minute.calls,
      rows: Math.max(0, minuteLimits.rows - minute.rows),
      seconds: this.secondsOf(minute),
    }
  }

  private secondsOf = ({ endsAt }: Minute): number => Math.max(1, Math.ceil((endsAt - this.now()) / 1000))
  private waitWords = (minute: Minute): string => plural(this.secondsOf(minute), 'second')
}

/** A front has one product, and tests have one each. */
const budgets = new WeakMap<Product, AgentBudgets>()

export function budgetsOf(product: Product): AgentBudgets {
  const known = budgets.get(product) ?? new AgentBudgets()
  budgets.set(product, known)
  return known
}

/** A key has a budget of its own; so has each member with each program. */
export const assistantOf = (viewer: Viewer, projectId: number): string =>
  `${projectId} ${viewer.kind} ${viewer.kind === 'key' ? viewer.keyId : viewer.name}`

/** "Left in this minute: 57 of 60 calls, 498,000,000 of 500,000,000 rows." */
export const budgetWords = ({ calls, rows }: BudgetLeft): string =>
  `Left in this minute: ${calls} of ${minuteLimits.calls} calls, ${number(rows)} of ${number(minuteLimits.rows)} rows.`

/** Returns how to narrow a query that would read more than is left; undefined for one that fits. */
export function dearWords({ rows, days }: QueryCost, left: BudgetLeft): string | undefined {
  const most = number(minuteLimits.rows)
  const wait = `Ask again in ${plural(left.seconds, 'second')}.`
  if (left.rows === 0) return `The ${most} rows of this minute are used up. ${wait}`
  if (rows <= left.rows) return undefined
  const fitsAlone = rows <= minuteLimits.rows
  const fitting = Math.floor((days * (fitsAlone ? left.rows : minuteLimits.rows)) / rows)
  return [
    `This would read about ${number(rows)} rows, and ${number(left.rows)} of ${most} are left in this minute.`,
    `Ask for a shorter period${fitting >= 1 ? `: "${fitting}d" would fit` : ''}.`,
    ...(fitsAlone ? [`Or wait. ${wait}`] : []),
  ].join(' ')
}
