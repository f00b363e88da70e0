import { namedPeriods } from '#insights/calendar/named-periods'
import { customRangeKey, periodKeyOf } from '#studio/parts/period-keys'
import type { MenuEntry } from '#ui/overlay/Menu'
import { periodGroups } from './periods'
import { defaults, type WebQuery } from './web-query'

export type ChangeHref = (change: Partial<WebQuery>) => string

/** The periods to choose from, the chosen one marked. A range of other days stands first, where no list hides it. */
export function periodEntries({ period: chosen }: WebQuery, to: ChangeHref, ask: () => void): MenuEntry[] {
  const isNamed = Object.hasOwn(namedPeriods, chosen)
  const custom: MenuEntry = {
    label: 'Custom range…',
    shortcut: customRangeKey,
    onSelect: ask,
    ...(!isNamed && { hint: 'Shown now' }),
  }
  return [
    custom,
    ...periodGroups.flatMap((group): MenuEntry[] => [
      { kind: 'separator' },
      ...group.map((period): MenuEntry => ({
        kind: 'link',
        label: period === defaults.period ? `${namedPeriods[period]} (default)` : namedPeriods[period],
        // an interval is chosen for a length of time
        href: to({ period, interval: undefined }),
        current: period === chosen,
        shortcut: periodKeyOf(period),
      })),
    ]),
  ]
}
