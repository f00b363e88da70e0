export const ratingScales = [2, 3, 5, 7, 10] as const
export type RatingScale = (typeof ratingScales)[number]

/** The values of a rating, from the lowest. Thumbs are listed as 1, up, and 2, down. */
export function ratingValues(scale: RatingScale): number[] {
  const first = scale === 10 ? 0 : 1
  return Array.from({ length: scale + 1 - first }, (_, index) => first + index)
}

const ratingGroups: Record<RatingScale, (value: number) => string> = {
  2: (value) => (value === 1 ? 'positive' : 'negative'),
  3: (value) => (value === 1 ? 'negative' : value === 2 ? 'neutral' : 'positive'),
  5: (value) => (value <= 2 ? 'negative' : value === 3 ? 'neutral' : 'positive'),
  7: (value) => (value <= 3 ? 'negative' : value === 4 ? 'neutral' : 'positive'),
  10: (value) => (value <= 6 ? 'detractors' : value <= 8 ? 'passives' : 'promoters'),
}

/** The names that `by-answer` branches use for the values of a rating, as in PostHog. */
export const ratingGroup = (scale: RatingScale, value: number): string => ratingGroups[scale](value)
