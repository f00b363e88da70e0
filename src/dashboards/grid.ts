/** The position of a card: column and row from the top left, and its width and height in them. */
export interface CardPlacement {
  x: number
  y: number
  w: number
  h: number
}

export interface PositionedCard {
  id: string
  place: CardPlacement
}

export const columns = 12
export const smallest = { w: 2, h: 2 } as const
export const tallest = 24

/** The default size of a card. */
const usualSize = { w: 6, h: 5 } as const

/** Moves a card by columns and rows. The other cards make room, and all cards rise as far as they can. */
export function moveCard<Card extends PositionedCard>(
  cards: readonly Card[],
  id: string,
  by: { x?: number; y?: number },
): Card[] {
  const card = cards.find((one) => one.id === id)
  if (!card) return [...cards]
  const { place } = card
  const x = between(0, place.x + (by.x ?? 0), columns - place.w)
  const y = Math.max(0, place.y + (by.y ?? 0))
  const isDown = y > place.y
  return placeAmongOthers(cards, { ...card, place: { ...place, x, y } }, isDown)
}

/** Moves a card by one keyboard step: a column sideways, or past the nearest card up or down. */
export function stepCard<Card extends PositionedCard>(
  cards: readonly Card[],
  id: string,
  direction: 'left' | 'right' | 'up' | 'down',
): Card[] {
  const card = cards.find((one) => one.id === id)
  if (!card) return [...cards]
  if (direction === 'left' || direction === 'right')
    return moveCard(cards, id, { x: direction === 'left' ? -1 : 1 })
  const neighbour = nearestCard(cards, card, direction)
  if (!neighbour) return [...cards]
  const above = neighbour.place.y - card.place.y
  return moveCard(cards, id, { y: direction === 'up' ? above : neighbour.place.h })
}

/** Resizes a card by columns and rows, as far as the grid allows. */
export function resizeCard<Card extends PositionedCard>(
  cards: readonly Card[],
  id: string,
  by: { w?: number; h?: number },
): Card[] {
  const card = cards.find((one) => one.id === id)
  if (!card) return [...cards]
  const { place } = card
  const w = between(smallest.w, place.w + (by.w ?? 0), columns - place.x)
  const h = between(smallest.h, place.h + (by.h ?? 0), tallest)
  return placeAmongOthers(cards, { ...card, place: { ...place, w, h } }, false)
}

/** Returns a place beside the last card where there is room, or below all cards. */
export function placementAtEnd(
  cards: readonly PositionedCard[],
  { w, h }: { w: number; h: number } = usualSize,
): CardPlacement {
  const below = { x: 0, y: Math.max(0, ...cards.map(({ place }) => place.y + place.h)), w, h }
  const last = sortByReadingOrder(cards).at(-1)?.place
  if (!last || last.x + last.w + w > columns) return below
  const beside = { x: last.x + last.w, y: last.y, w, h }
  return cards.some(({ place }) => overlap(place, beside)) ? below : beside
}

/** Resolves overlaps and gaps in the positions that a client sent. */
export const tidyCards = <Card extends PositionedCard>(cards: readonly Card[]): Card[] =>
  compactCards(sortByReadingOrder(cards))

/** Sorts in reading order, which is the order on narrow screens. */
export const sortByReadingOrder = <Card extends PositionedCard>(cards: readonly Card[]): Card[] =>
  cards.toSorted((one, other) => one.place.y - other.place.y || one.place.x - other.place.x)

const between = (least: number, value: number, most: number): number => Math.min(Math.max(value, least), most)

/** Cards that the moved card has passed by more than half go before it; all others make room. */
function placeAmongOthers<Card extends PositionedCard>(
  cards: readonly Card[],
  card: Card,
  isDown: boolean,
): Card[] {
  const others = sortByReadingOrder(cards.filter(({ id }) => id !== card.id))
  const { y, h } = card.place
  const isBefore = ({ place }: Card) => {
    const middle = place.y + place.h / 2
    return isDown ? middle <= y + h : middle < y
  }
  return compactCards([...others.filter(isBefore), card, ...others.filter((one) => !isBefore(one))])
}

/** Lets each card in turn rise as far as it can. */
function compactCards<Card extends PositionedCard>(cards: readonly Card[]): Card[] {
  const placed: Card[] = []
  for (const card of cards)
    placed.push({ ...card, place: raise(moveBelowOverlap(card.place, placed), placed) })
  return placed
}

function moveBelowOverlap(place: CardPlacement, others: readonly PositionedCard[]): CardPlacement {
  const under = others.find((other) => overlap(place, other.place))
  return under ? moveBelowOverlap({ ...place, y: under.place.y + under.place.h }, others) : place
}

function raise(place: CardPlacement, others: readonly PositionedCard[]): CardPlacement {
  const higher = { ...place, y: place.y - 1 }
  if (higher.y < 0 || others.some((other) => overlap(higher, other.place))) return place
  return raise(higher, others)
}

function nearestCard<Card extends PositionedCard>(
  cards: readonly Card[],
  { id, place }: Card,
  direction: 'up' | 'down',
): Card | undefined {
  const inWay = cards.filter((one) => one.id !== id && sharesColumns(one.place, place))
  if (direction === 'up') return sortByReadingOrder(inWay.filter((one) => one.place.y < place.y)).at(-1)
  return sortByReadingOrder(inWay.filter((one) => one.place.y > place.y))[0]
}

const sharesColumns = (one: CardPlacement, other: CardPlacement): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w

const overlap = (one: CardPlacement, other: CardPlacement): boolean =>
  sharesColumns(one, other) && one.y < other.y + other.h && other.y < one.y + one.h
