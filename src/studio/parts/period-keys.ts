import { type NamedPeriod, namedPeriodNames, namedPeriods } from '#insights/calendar/named-periods'
import { useShortcuts } from '#ui/keyboard/shortcut'

/** The keys that choose a period, which are those of Plausible where it has the period. `g` begins a way to a section. */
const periodKeys: Partial<Record<NamedPeriod, string>> = {
  today: 'd',
  yesterday: 'e',
  '24h': 'h',
  '7d': 'w',
  '28d': 'f',
  '30d': 't',
  '90d': 'n',
  '12mo': 'l',
  'this-month': 'm',
  'last-month': 'p',
  'this-year': 'y',
  all: 'a',
}

const namedPeriodKeys = Object.entries(periodKeys)

/** Opens the form for a range of other days. */
export const customRangeKey = 'c'

export const periodKeyOf = (period: NamedPeriod): string | undefined => periodKeys[period]

/** All of them with their meaning, for the list of shortcuts. */
export const periodShortcuts: { keys: string; does: string }[] = [
  ...namedPeriodNames.flatMap((period) => {
    const keys = periodKeyOf(period)
    return keys ? [{ keys, does: namedPeriods[period] }] : []
  }),
  { keys: customRangeKey, does: 'Custom range' },
]

/** Chooses the period of the page by a key. */
export function usePeriodKeys(choose: (period: string) => void, chooseDays: () => void) {
  useShortcuts({
    ...Object.fromEntries(namedPeriodKeys.map(([period, key]) => [key, () => choose(period)])),
    [customRangeKey]: chooseDays,
  })
}
