/**
 * What happens to the product, by the day since the story began. Everything in here shows in a chart: that is what it
 * is for.
 */
export const story = {
  /** How long the story is when it is first told. */
  days: 90,
  /** The day everybody talks about it; it takes some days to die down. */
  launch: { day: 24, quietDays: 6 },
  /** Advertisements, for two weeks and no longer. */
  campaign: { from: 38, until: 52, name: 'boards-for-teams' },
  /** A release that makes people stay. */
  release: { day: 58, name: 'Boards 2' },
  /** The payment page is broken, and nobody notices for two days. */
  outage: { from: 71, until: 73 },
  /** A letter to everybody who asked for one, on Tuesdays. */
  letter: { weekday: 2 },
} as const

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

export const beginningOfDay = (at: number): number => Math.floor(at / dayMs) * dayMs

/** 0 is Sunday. */
export const weekdayOf = (at: number): number => new Date(at).getUTCDay()

/** People look for tools to work with while they work. */
const siteByWeekday = [0.52, 1.08, 1.18, 1.16, 1.12, 0.94, 0.48] as const
/** … and use them then even more. */
const useByWeekday = [0.24, 1.2, 1.26, 1.24, 1.18, 1.02, 0.2] as const

export const siteRhythm = (at: number): number => siteByWeekday[weekdayOf(at)] ?? 1
export const useRhythm = (at: number): number => useByWeekday[weekdayOf(at)] ?? 1

/** How much more is going on than in the middle of the story: word gets around. */
export const growthOn = (day: number): number => Math.min(2, 0.62 + (0.76 * day) / story.days)

/** How much of the day’s fame is left; it does not ask which day of the week it is. */
export function fameOn(day: number, at: number): number {
  const since = day - story.launch.day
  return since < 0 || since > story.launch.quietDays ? 0 : Math.exp(-since * 0.75) / siteRhythm(at)
}

export const isCampaignOn = (day: number): boolean => day >= story.campaign.from && day < story.campaign.until

export const isBroken = (day: number): boolean => day >= story.outage.from && day < story.outage.until

export const isReleased = (day: number): boolean => day >= story.release.day

/** By the hour where the visitor is: asleep, at work, at lunch, on the sofa. */
const byHour = [
  0.25, 0.14, 0.09, 0.07, 0.08, 0.16, 0.4, 0.8, 1.5, 2.2, 2.5, 2.4, 1.8, 2, 2.4, 2.4, 2.1, 1.7, 1.3, 1.2, 1.3,
  1.2, 0.9, 0.5,
] as const

export const hours = byHour.map((weight, hour) => ({ hour, weight })) as [
  // of what is mapped the compiler forgets that there is a first one
  { hour: number; weight: number },
  ...{ hour: number; weight: number }[],
]
