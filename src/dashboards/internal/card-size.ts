import type { CardContent } from '../dashboard'
import { columns, type CardPlacement } from '../grid'

export type CardSize = Pick<CardPlacement, 'w' | 'h'>

const sizeOfChart: CardSize = { w: 6, h: 5 }

/** Charts and kinds of insight that need less room than most, or more. */
const sizesByChart: Readonly<Record<string, CardSize>> = {
  number: { w: 3, h: 3 },
  table: { w: 6, h: 6 },
  calendar: { w: 12, h: 4 },
}
const sizesByKind: Readonly<Record<string, CardSize>> = {
  breakdown: { w: 6, h: 6 },
  correlation: { w: 6, h: 6 },
  paths: { w: 12, h: 8 },
  retention: { w: 12, h: 10 },
  totals: { w: 12, h: 9 },
}

/** The advice, and the effects of two variants. */
const sizeOfResult: CardSize = { w: 6, h: 6 }

/** The rates of a whole survey are a few numbers. */
const sizeOfRates: CardSize = { w: 6, h: 3 }

/** The size of a new card with the chart of a query. */
export function chartSizeOf({
  kind,
  chart,
  about,
}: {
  kind?: unknown
  chart?: unknown
  about?: unknown
}): CardSize {
  if (kind === 'survey' && about === undefined) return sizeOfRates
  return sizesByChart[String(chart)] ?? sizesByKind[String(kind)] ?? sizeOfChart
}

/** The size of a new card; a text is the heading of the cards below it. */
export function cardSizeOf(content: CardContent): CardSize {
  if (content.type === 'text') return { w: 12, h: 2 }
  if (content.type === 'experiment') return sizeOfResult
  return content.type === 'question' ? chartSizeOf(content.question) : sizeOfChart
}

/** The place of a card with another content: it takes the new size, unless the card was resized. */
export function placeAfterChange(
  { place, content: before }: { place: CardPlacement; content: CardContent },
  content: CardContent,
): CardPlacement {
  const [old, next] = [cardSizeOf(before), cardSizeOf(content)]
  if (place.w !== old.w || place.h !== old.h) return place
  return { ...place, ...next, x: Math.min(place.x, columns - next.w) }
}
