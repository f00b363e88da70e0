/** Where a card stands: columns and rows from the top left, and how many of each it takes. */
export interface Place {
  x: number
  y: number
  w: number
  h: number
}

export interface Placed {
  id: string
  place: Place
}

export const columns = 12
export const smallest = { w: 2, h: 2 } as const
export const tallest = 24

/** What stands on a dashboard when nobody said how large it should be. */
export const usualSize = { w: 6, h: 5 } as const

/** Moves a card by so many columns and rows. The others make room, and everything rises as far as it can. */
export function moved<Card extends Placed>(
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
  return settled(cards, { ...card, place: { ...place, x, y } }, isDown)
}

/** One step by the keyboard: sideways by a column, up and down past the nearest card. */
export function stepped<Card extends Placed>(
  cards: readonly Card[],
  id: string,
  direction: 'left' | 'right' | 'up' | 'down',
): Card[] {
  const card = cards.find((one) => one.id === id)
  if (!card) return [...cards]
  if (direction === 'left' || direction === 'right')
    return moved(cards, id, { x: direction === 'left' ? -1 : 1 })
  const neighbour = nearest(cards, card, direction)
  if (!neighbour) return [...cards]
  const above = neighbour.place.y - card.place.y
  return moved(cards, id, { y: direction === 'up' ? above : neighbour.place.h })
}

/** Makes a card wider or taller by so much, as far as there is room for it. */
export function resized<Card extends Placed>(
  cards: readonly Card[],
  id: string,
  by: { w?: number; h?: number },
): Card[] {
  const card = cards.find((one) => one.id === id)
  if (!card) return [...cards]
  const { place } = card
  const w = between(smallest.w, place.w + (by.w ?? 0), columns - place.x)
  const h = between(smallest.h, place.h + (by.h ?? 0), tallest)
  return settled(cards, { ...card, place: { ...place, w, h } }, false)
}

/** Below everything that is there. */
export function atTheEnd(cards: readonly Placed[], { w, h }: { w: number; h: number } = usualSize): Place {
  return { x: 0, y: Math.max(0, ...cards.map(({ place }) => place.y + place.h)), w, h }
}

/** No card on another, none higher than it could be: whatever somebody sent. */
export const tidied = <Card extends Placed>(cards: readonly Card[]): Card[] => fallen(inReadingOrder(cards))

/** As they are read, and as they stand below each other on a narrow screen. */
export const inReadingOrder = <Card extends Placed>(cards: readonly Card[]): Card[] =>
  cards.toSorted((one, other) => one.place.y - other.place.y || one.place.x - other.place.x)

const between = (least: number, value: number, most: number): number => Math.min(Math.max(value, least), most)

/** Whoever the moved card has passed by more than half goes before it, all others make room. */
function settled<Card extends Placed>(cards: readonly Card[], card: Card, isDown: boolean): Card[] {
  const others = inReadingOrder(cards.filter(({ id }) => id !== card.id))
  const { y, h } = card.place
  const isBefore = ({ place }: Card) => {
    const middle = place.y + place.h / 2
    return isDown ? middle <= y + h : middle < y
  }
  return fallen([...others.filter(isBefore), card, ...others.filter((one) => !isBefore(one))])
}

/** One after the other, each as high as it can rise from where it is. */
function fallen<Card extends Placed>(cards: readonly Card[]): Card[] {
  const placed: Card[] = []
  for (const card of cards) placed.push({ ...card, place: risen(clear(card.place, placed), placed) })
  return placed
}

function clear(place: Place, others: readonly Placed[]): Place {
  const under = others.find((other) => overlap(place, other.place))
  return under ? clear({ ...place, y: under.place.y + under.place.h }, others) : place
}

function risen(place: Place, others: readonly Placed[]): Place {
  const higher = { ...place, y: place.y - 1 }
  if (higher.y < 0 || others.some((other) => overlap(higher, other.place))) return place
  return risen(higher, others)
}

function nearest<Card extends Placed>(
  cards: readonly Card[],
  { id, place }: Card,
  direction: 'up' | 'down',
): Card | undefined {
  const inWay = cards.filter((one) => one.id !== id && sharesColumns(one.place, place))
  if (direction === 'up') return inReadingOrder(inWay.filter((one) => one.place.y < place.y)).at(-1)
  return inReadingOrder(inWay.filter((one) => one.place.y > place.y))[0]
}

const sharesColumns = (one: Place, other: Place): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w

const overlap = (one: Place, other: Place): boolean =>
  sharesColumns(one, other) && one.y < other.y + other.h && other.y < one.y + one.h
