/** The course of the product, by the day since the story began. Every entry is visible in a chart. */
export const story = {
  /** The length of the story in the first run. */
  days: 90,
  /** The launch, whose traffic declines over some days. */
  launch: { day: 24, quietDays: 6 },
  /** An advertising campaign of two weeks. */
  campaign: { from: 38, until: 52, name: 'boards-for-teams' },
  /** A release that improves retention. */
  release: { day: 58, name: 'Boards 2' },
  /** An outage of the payment page for two days. */
  outage: { from: 71, until: 73 },
  /** A newsletter on Tuesdays. */
  letter: { weekday: 2 },
} as const

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

export const beginningOfDay = (at: number): number => Math.floor(at / dayMs) * dayMs

/** 0 is Sunday. */
export const weekdayOf = (at: number): number => new Date(at).getUTCDay()

/** Site traffic by weekday: most on working days. */
const siteByWeekday = [0.52, 1.08, 1.18, 1.16, 1.12, 0.94, 0.48] as const
/** Product use by weekday: even more on working days. */
const useByWeekday = [0.24, 1.2, 1.26, 1.24, 1.18, 1.02, 0.2] as const

export const siteRhythm = (at: number): number => siteByWeekday[weekdayOf(at)] ?? 1
export const useRhythm = (at: number): number => useByWeekday[weekdayOf(at)] ?? 1

/** Returns the growth factor of a day, 1 about the middle of the story. */
export const growthOn = (day: number): number => Math.min(2, 0.62 + (0.76 * day) / story.days)

/** Returns the remaining effect of the launch, which does not depend on the weekday. */
export function fameOn(day: number, at: number): number {
  const since = day - story.launch.day
  return since < 0 || since > story.launch.quietDays ? 0 : Math.exp(-since * 0.75) / siteRhythm(at)
}

export const isCampaignOn = (day: number): boolean => day >= story.campaign.from && day < story.campaign.until

export const isBroken = (day: number): boolean => day >= story.outage.from && day < story.outage.until

export const isReleased = (day: number): boolean => day >= story.release.day

/** The weights of the hours of a day in the visitor's time zone. */
const byHour = [
  0.25, 0.14, 0.09, 0.07, 0.08, 0.16, 0.4, 0.8, 1.5, 2.2, 2.5, 2.4, 1.8, 2, 2.4, 2.4, 2.1, 1.7, 1.3, 1.2, 1.3,
  1.2, 0.9, 0.5,
] as const

export const hours = byHour.map((weight, hour) => ({ hour, weight })) as [
  // the compiler does not know that a mapped tuple is not empty
  { hour: number; weight: number },
  ...{ hour: number; weight: number }[],
]
