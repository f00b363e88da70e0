/** Regions that the set of flags lacks. */
const without: ReadonlySet<string> = new Set([
  'AC',
  'BQ',
  'CP',
  'CQ',
  'DG',
  'EA',
  'EU',
  'IC',
  'TA',
  'UN',
  'XK',
])

/** Whether there is a flag for a code of two capital letters. */
export const hasFlag = (country: string): boolean => /^[A-Z]{2}$/.test(country) && !without.has(country)

/** The address at which the front serves the flag of a country. */
export const flagPath = (country: string): string => `/_tilth/country-flags/${country}.svg`

/** The flag of a country by its code of two letters; an empty space of the same width without one. */
export function CountryFlag({ country }: { country: string }) {
  if (!hasFlag(country)) return <span aria-hidden className="h-3 w-4 shrink-0" />
  return (
    <img
      src={flagPath(country)}
      alt=""
      width={16}
      height={12}
      loading="lazy"
      decoding="async"
      className="h-3 w-4 shrink-0 rounded-[2px] outline outline-line-strong -outline-offset-1"
    />
  )
}
