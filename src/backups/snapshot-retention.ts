/** The number of snapshots that stay: the newest ones, and the newest of each of so many days, weeks and months. */
export interface SnapshotRetention {
  last: number
  daily: number
  weekly: number
  monthly: number
}

export const defaultSnapshotRetention: SnapshotRetention = { last: 3, daily: 7, weekly: 5, monthly: 12 }

const rules = ['last', 'daily', 'weekly', 'monthly'] as const
const isRule = (word: string): word is keyof SnapshotRetention => rules.some((rule) => rule === word)

/** Reads "last=3 daily=7 weekly=5 monthly=12". A rule that is not named keeps none; nothing kept at all is refused. */
export function parseSnapshotRetention(text: string): SnapshotRetention | undefined {
  const retention: SnapshotRetention = { last: 0, daily: 0, weekly: 0, monthly: 0 }
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const [, rule = '', amount = ''] = /^([a-z]+)=(\d{1,5})$/.exec(part) ?? []
    if (!isRule(rule)) return undefined
    retention[rule] = Number(amount)
  }
  return rules.some((rule) => retention[rule] > 0) ? retention : undefined
}

export interface DatedSnapshot {
  name: string
  at: Date
}

/** Chooses the snapshots that stay. The newest one always does. */
export function chooseKeptSnapshots(
  snapshots: readonly DatedSnapshot[],
  retention: SnapshotRetention,
): Set<string> {
  const newestFirst = snapshots.toSorted((one, other) => other.at.getTime() - one.at.getTime())
  const periods: readonly { most: number; of: (at: Date) => string }[] = [
    { most: retention.daily, of: dayOf },
    { most: retention.weekly, of: weekOf },
    { most: retention.monthly, of: (at) => dayOf(at).slice(0, 7) },
  ]
  const kept = new Set(newestFirst.slice(0, Math.max(1, retention.last)).map(({ name }) => name))
  for (const { most, of } of periods) {
    const newestOf = new Map<string, string>()
    for (const { name, at } of newestFirst) {
      const period = of(at)
      if (!newestOf.has(period) && newestOf.size < most) newestOf.set(period, name)
    }
    for (const name of newestOf.values()) kept.add(name)
  }
  return kept
}

/** Returns the day in UTC, so that moving a repository to another zone changes nothing. */
const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/** The Monday that the week began with. */
function weekOf(at: Date): string {
  const monday = new Date(at)
  monday.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7))
  return dayOf(monday)
}
