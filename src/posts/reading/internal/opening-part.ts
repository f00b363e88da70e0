/**
 * Sizes of the part of a text that is parsed for a summary. The first is enough for prose; code and headings add
 * nothing.
 */
export const openingPartSizes = [800, 3000] as const
/** The limit of that part, which also applies to a text without paragraphs. */
const maxOpeningPart = 20_000

export function firstPart(body: string, enough: number): string {
  const end = body.length > enough ? body.indexOf('\n\n', enough) : -1
  return body.slice(0, end === -1 ? maxOpeningPart : Math.min(end, maxOpeningPart))
}

/** The part of a text that decides its opening. Lists show the same after a change behind it. */
export const openingSource = (body: string): string => firstPart(body, openingPartSizes[1])
